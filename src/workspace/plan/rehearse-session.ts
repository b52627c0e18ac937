import type { Catalog } from '../../catalog/create/catalog.ts'
import { mapValues, replaceTools } from '../../catalog/create/replace-tools.ts'
import { isObject } from '../../kernel/json-value.ts'
import type { Skill } from '../../skills/definition/skill.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import { modelText } from '../../tools/response/model-text.ts'
import {
  type HistoryMessage,
  skillInResult,
  toolsInResult,
} from '../offer/conversation/history-message.ts'
import type { WorkspaceStep } from '../offer/workspace-step.ts'
import { isDeferred } from '../offer/exposure/exposure-strategy.ts'
import type { WorkspaceOptions } from '../open/workspace-options.ts'
import { VirtualWorkspace } from '../virtual-workspace.ts'
import { ANSWER_SHARE, type SessionTrace, type TracedCall } from './session-trace.ts'

/** The tokens of one session, as its steps have them. */
export interface Rehearsal {
  readonly requests: number
  /** Of all requests. */
  readonly tokens: number
  readonly firstRequest: number
  /** In tokens at the full input price. */
  readonly price: number
  readonly lost: number
  /** The strategy of the last step. */
  readonly exposure: string
  /** Names of tools that the model could not get. */
  readonly unreached: readonly string[]
}

/** The options of a rehearsed session, and the way in which its model gets tools. */
export interface RehearsalSetting {
  readonly options: WorkspaceOptions
  /** Skills that the host activates before the first request. */
  readonly activate: readonly string[]
  /** True when the model searches for tools instead of loading their skill. */
  readonly searches: boolean
}

/** Tokens of what a trace does not say: the words of a turn, the arguments of a call, and its result. */
const USUAL = { words: 180, arguments: 30, result: 300 } as const

/** The tries of a model to get a tool: by search, then by loading its skill. */
const TRIES = 2

/**
 * Plays a session in memory, through the same steps and the same gate as a real one, and adds up what its
 * requests cost. No code of the host runs: take the catalog of the options from `withoutCode`.
 */
export async function rehearseSession(
  { turns, words = USUAL.words }: SessionTrace,
  setting: RehearsalSetting,
): Promise<Rehearsal> {
  const workspace = await VirtualWorkspace.open({ ...setting.options, countCalls: false })
  for (const skill of setting.activate) await workspace.activateSkill(skill, { by: 'host' })
  const session = new RehearsedSession(workspace, setting.searches, words)
  for (const steps of turns) await session.turn(steps.map((calls) => [calls].flat()))
  await workspace.close()
  return session.total()
}

/** A call as the scripted model makes it. */
interface ScriptedCall {
  readonly tool: string
  readonly input: object
}

class RehearsedSession {
  readonly #workspace: VirtualWorkspace
  readonly #searches: boolean
  readonly #words: number
  readonly #history: HistoryMessage[] = []
  readonly #steps: WorkspaceStep[] = []
  readonly #unreached = new Set<string>()
  #calls = 0
  #made = 0

  constructor(workspace: VirtualWorkspace, searches: boolean, words: number) {
    this.#workspace = workspace
    this.#searches = searches
    this.#words = words
  }

  async turn(steps: readonly (readonly TracedCall[])[]): Promise<void> {
    const answer = Math.round(this.#words * ANSWER_SHARE)
    this.#history.push({ role: 'user', content: filler(this.#words - answer) })
    await this.#workspace.beginTurn({ by: 'user' })
    for (const calls of steps) await this.#step(calls)
    await this.#request()
    this.#history.push({ role: 'assistant', content: filler(answer) })
  }

  total(): Rehearsal {
    const sizes = this.#steps.map(({ cost: { tokens } }) =>
      Object.values(tokens).reduce((sum, one) => sum + one, 0),
    )
    const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)
    return {
      requests: sizes.length,
      tokens: sum(sizes),
      firstRequest: sizes[0] ?? 0,
      price: sum(this.#steps.map(({ cost }) => cost.price)),
      lost: sum(this.#steps.map(({ cost }) => cost.lost)),
      exposure: this.#steps.at(-1)?.exposure.strategy ?? '',
      unreached: [...this.#unreached],
    }
  }

  /** Makes the requests of one step: first those in which the model gets the tools that it lacks. */
  async #step(calls: readonly TracedCall[]): Promise<void> {
    let step = await this.#request()
    for (let tried = 0; tried < TRIES; tried += 1) {
      const missing = calls.map(calledTool).filter((tool) => !this.#knows(tool))
      const ways = missing.flatMap((tool) => this.#waysTo(tool)[tried] ?? [])
      if (ways.length === 0) break
      await this.#answer([...new Map(ways.map((one) => [JSON.stringify(one), one])).values()])
      step = await this.#request()
    }
    const made = calls.filter((call) => this.#knows(calledTool(call)))
    for (const call of calls) if (!made.includes(call)) this.#unreached.add(calledTool(call))
    await this.#answer(made.map((call) => this.#scriptedCall(call, step)))
  }

  async #request(): Promise<WorkspaceStep> {
    const history = [...this.#history]
    const step = await this.#workspace.beginStep({ carries: CARRIED, history })
    this.#steps.push(step)
    return step
  }

  /** The model knows a tool that the request has in full, that a skill brought, or that it found. */
  #knows(tool: string): boolean {
    const { exposed, found } = this.#workspace.state
    if (found.some(({ name }) => name === tool)) return true
    if (!this.#workspace.isToolAvailable(tool)) return false
    const sent = exposed?.find(({ name }) => name === tool)
    if (sent !== undefined && sent.deferred !== true) return true
    return this.#workspace.getToolSource(tool)?.source !== 'global'
  }

  #waysTo(tool: string): readonly ScriptedCall[] {
    const { catalog } = this.#workspace
    const skills = catalog.bringers.get(tool) ?? []
    const skill = skills.find((one) => this.#workspace.explainSkill(one).status === 'inactive')
    const load = skill === undefined ? [] : [{ tool: 'loadSkill', input: { skillName: skill } }]
    if (!this.#searches) return load
    const search = (query: string) => ({ tool: 'tool_search', input: { query } })
    const known = [...catalog.toolsByHash.values()].find(({ name }) => name === tool)
    return [search(known?.summary ?? tool), load[0] ?? search(tool)]
  }

  /** Calls a tool by its name, or through the bridge when the request does not have it. */
  #scriptedCall(call: TracedCall, { tools, additions }: WorkspaceStep): ScriptedCall {
    const tool = calledTool(call)
    const result = (typeof call === 'string' ? undefined : call.tokens) ?? USUAL.result
    // No two calls are the same: a session refuses one that is repeated again and again.
    this.#made += 1
    const input = { text: `${this.#made}${filler(USUAL.arguments)}`, result }
    const isSent = [...tools, ...additions.map((one) => one.tool)].some(({ name }) => name === tool)
    const hasBridge = tools.some(({ name }) => name === 'call_tool')
    if (isSent || !hasBridge) return { tool, input }
    return { tool: 'call_tool', input: { name: tool, arguments: input } }
  }

  /** Makes the calls of one answer, and appends it with its results. */
  async #answer(calls: readonly ScriptedCall[]): Promise<void> {
    if (calls.length === 0) return
    const ids = calls.map(() => `call_${(this.#calls += 1)}`)
    const made = await Promise.all(
      calls.map(({ tool, input }, at) =>
        this.#workspace.callTool(tool, input, { caller: 'model', call: ids[at] ?? '' }),
      ),
    )
    this.#history.push({ role: 'assistant', content: JSON.stringify(calls), calls: ids })
    this.#history.push({
      role: 'results',
      content: made.map(modelText).join('\n'),
      results: made.map((response, at) => {
        const data = response.ok ? response.data : null
        const { tool = '', input } = calls[at] ?? {}
        const names = toolsInResult(tool, data).filter((name) =>
          isDeferred(this.#workspace.state, name),
        )
        return {
          call: ids[at] ?? '',
          ...skillInResult(tool, data, input),
          ...(names.length > 0 && { references: names }),
        }
      }),
    })
  }
}

/** The adapters send all of them, where the provider's facts have them. */
const CARRIED = ['deferred', 'additions', 'removals'] as const

function calledTool(call: TracedCall): string {
  return typeof call === 'string' ? call : call.tool
}

/** Returns a text of so many tokens, by most tokenizers. */
function filler(tokens: number): string {
  return ' word'.repeat(tokens)
}

/**
 * Returns a catalog with the same definitions and hashes in which no code of the host runs: hooks are gone,
 * tools take any arguments, ask nobody, and return a text of the length that their arguments say.
 */
export function withoutCode(catalog: Catalog): Catalog {
  return Object.freeze<Catalog>({
    ...replaceTools(catalog, rehearsed),
    skills: mapValues(catalog.skills, (skill) => {
      const { onActivate, onDeactivate, ...rest } = skill
      const isPlain = onActivate === undefined && onDeactivate === undefined
      return isPlain ? skill : Object.freeze<Skill>(rest)
    }),
  })
}

function rehearsed(tool: Tool): Tool {
  const definition: Tool = { ...tool }
  delete definition.parseOutput
  delete definition.extract
  return Object.freeze<Tool>({
    ...definition,
    risk: 'safe',
    requiresConfirmation: false,
    background: false,
    parseInput: async (value) => ({ ok: true, value }),
    execute: (input) => {
      const length = isObject(input) ? input['result'] : undefined
      return { text: filler(typeof length === 'number' ? length : USUAL.result) }
    },
  })
}
