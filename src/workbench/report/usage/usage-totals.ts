import { confusedPairs, type ToolDocument } from '../../../entries/search.ts'
import { rounded, sum } from './counted-request.ts'
import { proposeChanges } from './propose-changes.ts'
import type {
  CacheMiss,
  CarriedTokens,
  PartUsage,
  SessionUsage,
  SkillUsage,
  ToolUsage,
} from './session-usage.ts'

/** The judgement of a skill, by the sessions that listed or loaded it. */
export type SkillVerdict = 'pays' | 'rare' | 'missed' | 'dead' | 'few sessions'

/** The use and the cost of everything in many sessions. */
export type UsageTotals = ReturnType<typeof usageTotals>

/** A skill that fewer sessions have listed is not judged dead. */
const FEWEST_SESSIONS = 5

/** A skill that a smaller share of its sessions loads is rare. */
const RARE = 0.05

/** Adds up sessions that were merged, judges their skills, and proposes changes. */
export function usageTotals(sessions: readonly SessionUsage[]) {
  const began = sessions.filter(({ parent }) => parent === null)
  const clients = [...Map.groupBy(began, ({ client }) => client)]
  // Messages that were kept without times have none.
  const times = sessions.filter(({ from }) => from > 0)
  const skills = groupByName(sessions, 'skills').map((uses) => totalSkill(uses, sessions))
  return {
    /** The sessions that a person began. */
    sessions: began.length,
    subagents: sessions.length - began.length,
    clients: clients.map(([client, all]) => ({ client, sessions: all.length })),
    from: times.reduce<number | null>((least, { from }) => Math.min(least ?? from, from), null),
    until: times.reduce<number | null>((most, { until }) => Math.max(most ?? 0, until), null),
    ...sums(sessions, 'requests', 'price'),
    reported: sums(
      sessions.map(({ reported }) => reported),
      ...(['requests', 'input', 'cached', 'written', 'output'] as const),
    ),
    skills: skills.toSorted(byCost(({ listing, carried }) => listing.tokens + carried.tokens)),
    ...totalTools(sessions),
    parts: groupByName(sessions, 'parts')
      .map(totalPart)
      .toSorted(byCost(({ shown }) => shown.tokens)),
    misses: totalMisses(sessions),
    /** The messages that fit a skill, and did not get it. */
    missed: sessions.flatMap(({ session, messages }) =>
      messages.flatMap(({ entry, text, missed }) =>
        missed === null ? [] : { session, entry, text, ...missed },
      ),
    ),
    fighting: findFighting(sessions),
    proposals: proposeChanges(sessions),
  }
}

/** Groups the uses of each name in all sessions. */
function groupByName<Of extends 'skills' | 'parts'>(sessions: readonly SessionUsage[], of: Of) {
  const all = sessions.flatMap((one): readonly SessionUsage[Of][number][] => one[of])
  return [...Map.groupBy(all, ({ name }) => name).values()]
}

/** Adds up members of rows. */
function sums<Name extends string>(
  rows: readonly Readonly<Record<Name, number>>[],
  ...names: readonly Name[]
): Readonly<Record<Name, number>> {
  const added = names.map((name) => [name, sum(rows.map((row) => row[name]))] as const)
  return Object.fromEntries(added) as Record<Name, number>
}

function sumCarried(all: readonly CarriedTokens[]): CarriedTokens {
  return rounded(sums(all, 'tokens', 'cached'))
}

function byCost<Total extends { readonly name: string }>(cost: (total: Total) => number) {
  return (a: Total, b: Total) => cost(b) - cost(a) || (a.name < b.name ? -1 : 1)
}

function totalSkill(uses: readonly SkillUsage[], sessions: readonly SessionUsage[]) {
  const name = uses[0]?.name ?? ''
  const messages = sessions.flatMap((one) => one.messages)
  const missed = messages.filter((one) => one.missed?.skill === name).length
  const loadedIn = uses.filter(({ loads }) => loads > 0).length
  const counts = sums(uses, 'loads', 'named', 'requests', 'calls', 'loadPrice')
  const sections = Map.groupBy(
    uses.flatMap((use) => use.sections),
    ({ title, tokens }) => JSON.stringify([title, tokens]),
  )
  return {
    name,
    verdict: judgeSkill(counts.loads, missed, loadedIn / uses.length, uses.length),
    description: uses.findLast(({ description }) => description !== '')?.description ?? '',
    /** The sessions that listed or loaded it, and those of them that loaded it. */
    sessions: uses.length,
    loadedIn,
    /** The messages that fit it, and for which it was not loaded. */
    missed,
    ...counts,
    body: Math.max(...uses.map(({ body }) => body)),
    listing: sumCarried(uses.map(({ listing }) => listing)),
    carried: sumCarried(uses.map(({ carried }) => carried)),
    sections: [...sections.values()].flatMap((group) =>
      group.slice(0, 1).map((first) => ({ ...first, ...sums(group, 'used') })),
    ),
  }
}

function judgeSkill(loads: number, missed: number, share: number, sessions: number): SkillVerdict {
  if (missed > loads) return 'missed'
  if (loads === 0) return sessions < FEWEST_SESSIONS ? 'few sessions' : 'dead'
  return share < RARE ? 'rare' : 'pays'
}

function totalTools(sessions: readonly SessionUsage[]) {
  const uses = sessions.flatMap(({ tools }) => tools)
  const groups = Map.groupBy(uses, ({ name, server }) => JSON.stringify([server, name]))
  const tools = [...groups.values()].flatMap((group) =>
    group.slice(0, 1).map(({ name, server }) => {
      return { name, server, sessions: group.length, ...totalCalls(group) }
    }),
  )
  const servers = [...Map.groupBy(tools, ({ server }) => server)].map(([name, group]) => {
    const called = group.filter(({ calls }) => calls > 0).length
    return { name, tools: group.length, called, ...totalCalls(group) }
  })
  const dearest = byCost(
    ({ shown, results }: ReturnType<typeof totalCalls> & { readonly name: string }) =>
      shown.tokens + results,
  )
  return { servers: servers.toSorted(dearest), tools: tools.toSorted(dearest) }
}

function totalCalls(group: readonly Omit<ToolUsage, 'description'>[]) {
  return {
    ...sums(group, 'requests', 'deferred', 'calls', 'failures', 'results'),
    shown: sumCarried(group.map(({ shown }) => shown)),
  }
}

function totalPart(uses: readonly PartUsage[]) {
  const { name = '', isFile = false } = uses[0] ?? {}
  const shown = sumCarried(uses.map((use) => use.shown))
  return { name, isFile, sessions: uses.length, ...sums(uses, 'requests'), shown }
}

const MOST_EXAMPLES = 5

/** Adds up the misses of the cache by their causes. */
function totalMisses(sessions: readonly SessionUsage[]) {
  const all = sessions.flatMap(({ session, misses }) => misses.map((one) => ({ ...one, session })))
  const priced = (group: readonly CacheMiss[]) => ({
    times: group.length,
    ...sums(group, 'price', 'tokens'),
  })
  return [...Map.groupBy(all, ({ cause }) => cause)]
    .map(([cause, group]) => ({
      cause,
      ...priced(group),
      /** Those of which the provider reported nothing. */
      estimates: group.filter(({ isEstimate }) => isEstimate).length,
      by: [...Map.groupBy(group, ({ who }) => who ?? '')]
        .flatMap(([who, own]) => (who === '' ? [] : { who, ...priced(own) }))
        .toSorted((a, b) => b.price - a.price),
      /** The dearest ones. */
      examples: group.toSorted((a, b) => b.price - a.price).slice(0, MOST_EXAMPLES),
    }))
    .toSorted((a, b) => b.price - a.price || (a.cause < b.cause ? -1 : 1))
}

/** Finds the skills of sessions, and the tools of their servers, whose descriptions messages do not distinguish. */
function findFighting(sessions: readonly SessionUsage[]) {
  const documents = new Map<string, ToolDocument>()
  // Those of the latest sessions count.
  for (const { skills, tools } of sessions.toSorted((a, b) => a.until - b.until)) {
    for (const { name, description } of skills)
      if (description !== '') documents.set(`skill ${name}`, { name, description, kind: 'skill' })
    for (const { name, description, server } of tools)
      if (description !== '') documents.set(`tool ${name}`, { name, description, owner: server })
  }
  return confusedPairs(documents.values()).flatMap(({ first, second, words }) => {
    const { kind } = first
    if (kind !== second.kind) return []
    const [one, other] = [first, second].map(({ name }) => {
      const { description = '' } = documents.get(`${kind} ${name}`) ?? {}
      return description
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
        .trim()
    })
    return { first: first.name, second: second.name, kind, isDuplicate: one === other, words }
  })
}
