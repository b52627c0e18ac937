import type { Catalog } from '../../catalog/create/catalog.ts'
import { isMeta } from '../../engine/model/source-event.ts'
import type { Entry } from '../../engine/model/workspace-event.ts'

/** One call of a tool, by its name in the session; with the tokens of its result, when they are known. */
export type TracedCall = string | { readonly tool: string; readonly tokens?: number }

/** The tools that were used in a session. */
export interface SessionTrace {
  /**
   * The steps of each turn. A step is one answer of the model: a call, or a list of calls that it makes at
   * once. The answer that ends a turn is not listed.
   */
  readonly turns: readonly (readonly (TracedCall | readonly TracedCall[])[])[]
  /** Tokens of what the user and the model write in a turn, in the mean, without calls; 180 when absent. */
  readonly words?: number
}

/**
 * Returns the tools that a recorded session used, without meta-tools and the calls that tools made. What was
 * written is known when the host showed its history, or the tokens of its messages, to `beginStep`.
 */
export function traceSession(entries: readonly Entry[]): SessionTrace {
  const results = new Map<string, number>()
  for (const { event } of entries) {
    if (event.type === 'call.ended' && event.tokens) results.set(event.call, event.tokens.result)
  }
  const turns: TracedCall[][][] = []
  for (const { event } of entries) {
    if (event.type === 'turn.begun') turns.push([])
    if (event.type === 'step.begun') (turns.at(-1) ?? newTurn(turns)).push([])
    if (event.type !== 'call.started' || event.caller !== 'model') continue
    if (isMeta(event) || event.within !== undefined) continue
    const steps = turns.at(-1) ?? newTurn(turns)
    const tokens = results.get(event.call)
    const call = { tool: event.tool, ...(tokens !== undefined && { tokens }) }
    const step = steps.at(-1)
    if (step === undefined) steps.push([call])
    else step.push(call)
  }
  const used = turns.map((steps) => steps.filter((calls) => calls.length > 0))
  const words = countWords(entries, turns.length)
  return { turns: used, ...(words !== null && { words }) }
}

/** Returns the tokens of a turn that are no calls and no results; null for a host that did not show them. */
function countWords(entries: readonly Entry[], turns: number): number | null {
  const last = entries.findLastIndex(({ event }) => event.type === 'step.begun')
  const event = entries[last]?.event
  if (event?.type !== 'step.begun' || (event.cost?.messages ?? 0) === 0) return null
  const calls = entries
    .slice(0, last)
    .flatMap((entry) => (entry.event.type === 'call.ended' ? (entry.event.tokens ?? []) : []))
    .reduce((sum, { arguments: given, result }) => sum + given + result, 0)
  // The last request is without the last answer.
  return Math.max(0, Math.round(((event.cost?.messages ?? 0) - calls) / (turns - ANSWER_SHARE)))
}

/** The share of the answer in the words of a turn. */
export const ANSWER_SHARE = 2 / 3

function newTurn(turns: TracedCall[][][]): TracedCall[][] {
  const turn: TracedCall[][] = []
  turns.push(turn)
  return turn
}

/**
 * The sessions of an agent about which nothing is known: how many there are at most, the skills that each uses,
 * its turns, and the calls of a turn, one after another.
 */
const USUAL = { sessions: 4, skills: 3, turns: 6, calls: 3 } as const

/**
 * Returns sessions as they usually are. Each uses a few skills, one in each turn, and all skills are used about
 * equally often. Tools that no skill brings are used like those of one more skill.
 *
 * @param skills the names of the skills that may be active
 */
export function usualTraces(catalog: Catalog, skills: readonly string[]): readonly SessionTrace[] {
  const globals = [
    ...catalog.globalTools,
    ...[...catalog.components.values()].flatMap(({ tools }) => tools),
  ]
  const groups = [
    ...skills.map((skill) => (catalog.skillTools.get(skill) ?? []).map(({ tool }) => tool.name)),
    globals.map(({ name }) => name),
  ].filter((names) => names.length > 0)
  if (groups.length === 0) return [{ turns: Array.from({ length: USUAL.turns }, () => []) }]
  const sessions = Math.min(USUAL.sessions, Math.ceil(groups.length / USUAL.skills))
  return Array.from({ length: sessions }, (_, session) => {
    const first = Math.floor((session * groups.length) / sessions)
    const used = [...groups.slice(first), ...groups.slice(0, first)].slice(0, USUAL.skills)
    return {
      turns: Array.from({ length: USUAL.turns }, (__, turn) => {
        const names = used[turn % used.length] ?? []
        const start = Math.floor(turn / used.length) * USUAL.calls
        const calls = Math.min(USUAL.calls, names.length)
        return Array.from({ length: calls }, (___, at) => names[(start + at) % names.length] ?? '')
      }),
    }
  })
}
