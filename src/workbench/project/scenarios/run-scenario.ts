import {
  type Catalog,
  ErrorType,
  type Tool,
  type ToolResponse,
  VirtualWorkspace,
  WorkspaceError,
  type WorkspaceOptions,
} from '../../../entries/index.ts'
import { isObject, matchesPattern } from '../../../entries/kit.ts'
import { replaceTools } from '../../../entries/manifest.ts'
import { judgeStep, type StepFacts, type UnmetExpectation } from './judge-step.ts'
import { type Scenario, type ScenarioStep, stepAnswers } from './read-scenario.ts'
import {
  answerOnEngine,
  type ScenarioConversation,
  type ScenarioModel,
  type ScenarioSession,
} from './scenario-model.ts'

/** A step of a scenario, after it ran. */
export interface StepResult {
  /** From 1. */
  readonly step: number
  readonly expectations: number
  /** Empty when the step passed. */
  readonly unmet: readonly UnmetExpectation[]
}

/** A scenario, after it ran. */
export interface ScenarioResult {
  readonly name: string
  readonly ok: boolean
  readonly steps: readonly StepResult[]
}

/** The host of a scenario: the options of its workspace without those that the scenario has. */
export interface ScenarioHost extends Omit<
  WorkspaceOptions,
  'session' | 'log' | 'readOnly' | 'at' | 'follow' | 'variables'
> {
  readonly variables?: ReadonlyMap<string, string>
}

/**
 * Runs a scenario: opens a session in memory, lets the model answer, and judges what is expected after each step.
 * Code of tools runs, unless the scenario has a stub for it.
 *
 * @param model the way to the model. Without it, no request is made: the calls that the scenario answers with go through the gate
 */
export async function runScenario(
  scenario: Scenario,
  host: ScenarioHost,
  model: ScenarioModel | null = null,
): Promise<ScenarioResult> {
  checkScenario(scenario)
  const workspace = await VirtualWorkspace.open(scenarioOptions(scenario, host))
  let people: readonly Pick<Scenario, 'approve' | 'deny'>[] = [scenario]
  const decide = (tool: string) => {
    const matches = (pattern: string) => matchesPattern(pattern, tool)
    for (const { approve = [], deny = [] } of people) {
      if (deny.some(matches)) return 'deny'
      if (approve.some(matches)) return 'approve'
    }
    return null
  }
  const session = { workspace, decide }
  const calls = watchCalls(workspace)
  let conversation: ScenarioConversation | null = null
  try {
    conversation = (await model?.open(session)) ?? null
    const steps: StepResult[] = []
    for (const [index, step] of scenario.steps.entries()) {
      people = [step, scenario]
      const facts = await runStep(step, session, conversation, calls)
      const { expect = {} } = step
      const unmet = await judgeStep(workspace, expect, facts)
      steps.push({ step: index + 1, expectations: Object.keys(expect).length, unmet })
    }
    return { name: scenario.name, ok: steps.every(({ unmet }) => unmet.length === 0), steps }
  } finally {
    await conversation?.close()
    await workspace.close()
  }
}

/** Throws for a text, and for an answer of `readScenario`, of which the scenario is a part. */
function checkScenario(scenario: unknown): void {
  if (isObject(scenario) && Array.isArray(scenario['steps'])) return
  const hint = 'Give the "scenario" of what readScenario returns.'
  throw new WorkspaceError('OPTIONS_INVALID', '"scenario" is not a scenario that was read.', {
    facts: { option: 'scenario' },
    hint,
  })
}

/** Returns the options of the workspace of a scenario. */
export function scenarioOptions(scenario: Scenario, host: ScenarioHost): WorkspaceOptions {
  const { agent, mode, provider, exposure, variables = {}, rules = {}, stub = {} } = scenario
  const { policy = {}, catalog, variables: own } = host
  const { permissions = {} } = policy
  return {
    ...host,
    catalog: withStubs(catalog, stub),
    ...(agent !== undefined && { agent }),
    ...(provider !== undefined && {
      provider: provider as NonNullable<WorkspaceOptions['provider']>,
    }),
    ...(exposure !== undefined && { exposure }),
    variables: new Map([...(own ?? []), ...Object.entries(variables)]),
    policy: {
      ...policy,
      ...(mode !== undefined && { mode }),
      permissions: {
        ...permissions,
        deny: [...(permissions.deny ?? []), ...(rules.deny ?? [])],
        ask: [...(permissions.ask ?? []), ...(rules.ask ?? [])],
        allow: [...(permissions.allow ?? []), ...(rules.allow ?? [])],
      },
    },
  }
}

/** Replaces the code of tools by results. A tool without code can be called, too. */
function withStubs(catalog: Catalog, stub: NonNullable<Scenario['stub']>): Catalog {
  const names = new Set(Object.keys(stub))
  if (names.size === 0) return catalog
  const made = new Map<string, number>()
  return replaceTools(catalog, (tool) => {
    const given = stub[tool.name]
    if (!names.has(tool.name) || given === undefined) return tool
    const results = Array.isArray(given) ? given : [given]
    const definition: Tool = { ...tool }
    delete definition.extract
    return Object.freeze<Tool>({
      ...definition,
      execute() {
        const call = made.get(tool.name) ?? 0
        made.set(tool.name, call + 1)
        const result = results[Math.min(call, results.length - 1)] ?? { data: null }
        return 'error' in result
          ? { ok: false as const, error: result.error }
          : { ok: true as const, data: result.data }
      },
    })
  })
}

/** Carries out one step, and returns what happened. Only what a user says reaches the model. */
async function runStep(
  step: ScenarioStep,
  session: ScenarioSession,
  conversation: ScenarioConversation | null,
  calls: ReturnType<typeof watchCalls>,
): Promise<StepFacts> {
  const { workspace } = session
  const { user, activate, deactivate, note } = step
  let outcome: StepFacts['last'] = null
  if (user !== undefined && conversation === null) await workspace.beginTurn()
  if (activate !== undefined) {
    outcome = await workspace.activateSkill(activate, { by: 'user' })
  }
  if (deactivate !== undefined) {
    outcome = await workspace.deactivateSkill(deactivate, { by: 'user' })
  }
  if (note !== undefined) {
    const { paths, event, holds } = note
    await workspace.note({
      ...(paths && { paths }),
      ...(event !== undefined && { event }),
      ...(holds !== undefined && { holds }),
    })
  }
  const answer =
    user !== undefined && conversation !== null
      ? await conversation.say(user, stepAnswers(step))
      : await answerOnEngine(session, stepAnswers(step))
  // What is judged is the next request, which settles conditions first.
  await workspace.note({})
  const { last, ...made } = calls.take()
  return { ...made, last: last ?? outcome, answer, user: user ?? '' }
}

/**
 * Watches the calls of the model, whichever way they come. `take` returns those since it was last called. A call that is
 * made again after an answer is one call.
 */
function watchCalls(workspace: VirtualWorkspace) {
  interface Watched {
    readonly tool: string
    isAsked: boolean
    response: ToolResponse | null
  }
  let made = new Map<string, Watched>()
  workspace.calls.wrap(async ({ call, request: { tool, caller } }, run) => {
    if (caller !== 'model') return
    const one = made.get(call) ?? { tool, isAsked: false, response: null }
    made.set(call, one)
    const response = await run()
    one.response = response
    one.isAsked ||= !response.ok && response.error.type === ErrorType.CONFIRMATION_REQUIRED
  })
  return {
    take() {
      const all = [...made.values()]
      made = new Map()
      return {
        calls: all.map(({ tool }) => tool),
        asked: all.filter(({ isAsked }) => isAsked).map(({ tool }) => tool),
        last: all.at(-1)?.response ?? null,
      }
    },
  }
}
