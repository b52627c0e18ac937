import type { Catalog } from '../../catalog/create/catalog.ts'
import { replaceTools } from '../../catalog/create/replace-tools.ts'
import { matchesPattern } from '../../kernel/matches-pattern.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import { ErrorType } from '../../tools/response/error-type.ts'
import type { ToolResponse } from '../../tools/response/tool-response.ts'
import type { WorkspaceOptions } from '../../workspace/open/workspace-options.ts'
import { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'
import { judgeStep, type StepFacts, type UnmetExpectation } from './judge-step.ts'
import type { Scenario, ScenarioAnswer, ScenarioStep, ScenarioStub } from './read-scenario.ts'

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
 * Runs a scenario on the engine: opens a session in memory, makes the calls that the scripted model makes through the
 * gate, and judges what is expected after each step. No model and no network is used. Code of tools runs, unless
 * the scenario has a stub for it.
 */
export async function runScenario(scenario: Scenario, host: ScenarioHost): Promise<ScenarioResult> {
  const workspace = await VirtualWorkspace.open(scenarioOptions(scenario, host))
  try {
    const steps: StepResult[] = []
    for (const [index, step] of scenario.steps.entries()) {
      const facts = await runStep(workspace, step, scenario)
      const { expect = {} } = step
      const unmet = await judgeStep(workspace, expect, facts)
      steps.push({ step: index + 1, expectations: Object.keys(expect).length, unmet })
    }
    return { name: scenario.name, ok: steps.every(({ unmet }) => unmet.length === 0), steps }
  } finally {
    await workspace.close()
  }
}

/** Returns the options of the workspace of a scenario. */
function scenarioOptions(scenario: Scenario, host: ScenarioHost): WorkspaceOptions {
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
        return outcomeOf(results[Math.min(call, results.length - 1)] ?? { data: null })
      },
    })
  })
}

function outcomeOf(stub: ScenarioStub) {
  if ('error' in stub) return { ok: false as const, error: stub.error }
  return { ok: true as const, data: stub.data }
}

/** Carries out one step, and returns what happened. */
async function runStep(
  workspace: VirtualWorkspace,
  step: ScenarioStep,
  people: Pick<Scenario, 'approve' | 'deny'>,
): Promise<StepFacts> {
  const facts: StepFacts = { calls: [], asked: [], last: null, answer: null }
  const { user, activate, deactivate } = step
  if (user !== undefined) await workspace.beginTurn()
  if (activate !== undefined) {
    facts.last = await workspace.activateSkill(activate, { by: 'user' })
  }
  if (deactivate !== undefined) {
    facts.last = await workspace.deactivateSkill(deactivate, { by: 'user' })
  }
  for (const answer of answersOf(step)) {
    await workspace.beginStep()
    if ('text' in answer) facts.answer = answer.text
    for (const { call, with: input = {} } of callsOf(answer)) {
      facts.calls.push(call)
      facts.last = await callAsModel(workspace, { call, input }, facts, [step, people])
    }
  }
  return facts
}

/** Returns the answers of a step. `call` is the short form of one answer. */
function answersOf({ model = [], call, with: input }: ScenarioStep): readonly ScenarioAnswer[] {
  if (call === undefined) return model
  return [...model, { call, ...(input !== undefined && { with: input }) }]
}

function callsOf(answer: ScenarioAnswer) {
  if ('text' in answer) return []
  return 'calls' in answer ? answer.calls : [answer]
}

/** Calls a tool as the model, and answers the question about it as the scenario says. */
async function callAsModel(
  workspace: VirtualWorkspace,
  { call, input }: { readonly call: string; readonly input: unknown },
  facts: StepFacts,
  people: readonly Pick<Scenario, 'approve' | 'deny'>[],
): Promise<ToolResponse> {
  const response = await workspace.callTool(call, input, { caller: 'model' })
  if (response.ok || response.error.type !== ErrorType.CONFIRMATION_REQUIRED) return response
  facts.asked.push(call)
  const { confirmation } = response.error.details
  const decision = people.map((one) => decisionOf(one, call)).find((one) => one !== null)
  if (typeof confirmation !== 'string' || decision === undefined) return response
  if (decision === 'approve') await workspace.approve(confirmation)
  else await workspace.deny(confirmation)
  return workspace.callTool(call, input, { caller: 'model' })
}

function decisionOf({ approve = [], deny = [] }: Pick<Scenario, 'approve' | 'deny'>, tool: string) {
  const matches = (pattern: string) => matchesPattern(pattern, tool)
  if (deny.some(matches)) return 'deny'
  return approve.some(matches) ? 'approve' : null
}
