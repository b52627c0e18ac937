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
}

/** Returns the tools that a recorded session used, without meta-tools and the calls that tools made. */
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
  return { turns: used }
}

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
