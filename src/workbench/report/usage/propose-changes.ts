import { sum } from './counted-request.ts'
import { type Proposal, proposePhrases } from './propose-phrases.ts'
import type { SessionUsage, SkillUsage } from './session-usage.ts'

/** The price of a session before and after a change. */
interface Replayed {
  readonly before: number
  readonly after: number
}

/** A change that fewer sessions, or loads, speak for is not proposed. */
const FEWEST = 3

/** Things that are used together this often belong together. */
const TOGETHER = 0.8

/** A part of instructions that fewer loads use may be in a file of its own. */
const RARELY = 0.25

/** Tokens of the smallest part that is worth a file. */
const LEAST_PART = 200

/** Replays the sessions with each change that their use suggests, and returns those that made them better. */
export function proposeChanges(sessions: readonly SessionUsage[]): readonly Proposal[] {
  const loaded = loadsBySkill(sessions)
  return [
    ...proposePins(loaded, sessions),
    ...proposeSplits(loaded),
    ...proposeMerges(loaded),
    ...proposeRelated(sessions),
    ...proposePhrases(sessions, new Set(loaded.keys())),
  ]
}

/** Returns the sessions that loaded each skill, of those that did so often enough. */
function loadsBySkill(sessions: readonly SessionUsage[]) {
  const uses = sessions.flatMap(({ session, skills }) =>
    skills.flatMap((use) => (use.loads > 0 ? { session, use } : [])),
  )
  const all = [...Map.groupBy(uses, ({ use }) => use.name)]
  return new Map(all.filter(([, own]) => own.length >= FEWEST).toSorted())
}

type Loads = ReturnType<typeof loadsBySkill>

/** Returns a proposal with the figures of its replay; nothing when it makes the sessions no better. */
function proposal(
  about: Pick<Proposal, 'kind' | 'names' | 'text'>,
  replayed: readonly Replayed[],
): readonly Proposal[] {
  const before = Math.round(sum(replayed.map((one) => one.before)))
  const after = Math.round(sum(replayed.map((one) => one.after)))
  if (after >= before) return []
  const better = replayed.filter((one) => one.after < one.before).length
  const worse = replayed.filter((one) => one.after > one.before).length
  return [{ ...about, before, after, replayed: replayed.length, better, worse }]
}

/** Pin: its instructions are always there, and no request loads them. */
function proposePins(loaded: Loads, sessions: readonly SessionUsage[]): readonly Proposal[] {
  return [...loaded].flatMap(([name, own]) => {
    const body = largestBody(own)
    if (body === 0) return []
    const uses = sessions.flatMap(({ skills }) => skills.filter((one) => one.name === name))
    const replayed = uses.map(({ loadPrice, pin }) => ({ before: loadPrice, after: pin * body }))
    const text = `Pin "${name}": put its instructions into the memory file, or activate it from the start.`
    return proposal({ kind: 'pin', names: [name], text }, replayed)
  })
}

/** Split: the parts that are rarely used become a file that is read when it is needed. */
function proposeSplits(loaded: Loads): readonly Proposal[] {
  return [...loaded].flatMap(([name, own]) => {
    const loads = sum(own.map(({ use }) => use.loads))
    const used = new Map<string, number>()
    for (const { title, used: times } of own.flatMap(({ use }) => use.sections))
      used.set(title, (used.get(title) ?? 0) + times)
    const titles = new Set(
      own
        .flatMap(({ use }) => use.sections)
        .filter(({ tokens }) => tokens >= LEAST_PART)
        .flatMap(({ title }) => ((used.get(title) ?? 0) <= loads * RARELY ? title : [])),
    )
    if (titles.size === 0 || loads < FEWEST) return []
    const replayed = own.map(({ use }) => {
      const moved = use.sections.filter(({ title }) => titles.has(title))
      // Each use of a part that was moved takes one more request.
      const again = sum(moved.map((one) => one.used * (one.tokens + use.loadPrice / use.loads)))
      const before = use.loads * use.body
      return { before, after: before - use.loads * sum(moved.map((one) => one.tokens)) + again }
    })
    const parts = [...titles].map((title) => `"${title}"`).join(', ')
    const text = `Split "${name}": move ${parts} into a file that its instructions name.`
    return proposal({ kind: 'split', names: [name], text }, replayed)
  })
}

/** Merge: two skills that are loaded together become one. */
function proposeMerges(loaded: Loads): readonly Proposal[] {
  const all = [...loaded]
  return all.flatMap(([first, own], index) =>
    all.slice(index + 1).flatMap(([second, others]) => {
      const by = new Map(others.map((one) => [one.session, one.use]))
      const both = own.filter(({ session }) => by.has(session))
      const either = own.length + others.length - both.length
      if (both.length < FEWEST || both.length < either * TOGETHER) return []
      const together = new Set(both.map(({ session }) => session))
      const alone = (uses: typeof own, body: number) =>
        uses
          .filter(({ session }) => !together.has(session))
          .map(({ use }) => ({ before: 0, after: use.loads * body }))
      const replayed = [
        ...both.map(({ session, use }) => {
          const { loadPrice, loads } = by.get(session) ?? use
          // One of the two requests that only loaded remains.
          return { before: Math.min(use.loadPrice / use.loads, loadPrice / loads), after: 0 }
        }),
        ...alone(own, largestBody(others)),
        ...alone(others, largestBody(own)),
      ]
      const text = `Merge "${first}" and "${second}", which are loaded together.`
      return proposal({ kind: 'merge', names: [first, second], text }, replayed)
    }),
  )
}

function largestBody(own: readonly { readonly use: SkillUsage }[]): number {
  return Math.max(...own.map(({ use }) => use.body))
}

/** Related tools: a search that finds the first one also returns the one that is always called next. */
function proposeRelated(sessions: readonly SessionUsage[]): readonly Proposal[] {
  const pairs = sessions.flatMap(({ pairs: own, tools }) => {
    const known = new Map(tools.map((tool) => [tool.name, tool]))
    return own.flatMap((pair) => {
      const [first, then] = [known.get(pair.first), known.get(pair.then)]
      if (first === undefined || then === undefined) return []
      const size = then.shown.tokens / Math.max(1, then.requests)
      return { ...pair, calls: first.calls, size }
    })
  })
  const groups = Map.groupBy(pairs, ({ first, then }) => JSON.stringify([first, then]))
  return [...groups].toSorted().flatMap(([, group]) => {
    const [{ first, then } = { first: '', then: '' }] = group
    const times = sum(group.map((one) => one.times))
    const searches = sum(group.map((one) => one.searches))
    const calls = sum(
      sessions.flatMap(({ tools }) => tools.map((one) => (one.name === first ? one.calls : 0))),
    )
    if (searches < FEWEST || times < calls * TOGETHER) return []
    const replayed = group.map((one) => ({
      before: one.price,
      after: Math.max(0, one.calls - one.times) * one.size,
    }))
    const text = `Relate "${then}" to "${first}": it is called next ${times} of ${calls} times.`
    return proposal({ kind: 'related', names: [first, then], text }, replayed)
  })
}
