import { confusedPairs, type ToolDocument } from '../../../entries/search.ts'
import { addCarried, rounded, sum } from './counted-request.ts'
import { proposeChanges } from './propose-changes.ts'
import type { Proposal } from './propose-phrases.ts'
import type {
  AskedMessage,
  CacheMiss,
  CarriedTokens,
  PartUsage,
  SessionUsage,
  SkillUsage,
  ToolUsage,
} from './session-usage.ts'

/** The judgement of a skill, by the sessions that listed or loaded it. */
export type SkillVerdict = 'pays' | 'rare' | 'missed' | 'dead' | 'few sessions'

/** The use of a skill in all sessions. */
export interface SkillTotal extends Omit<SkillUsage, 'pin'> {
  readonly verdict: SkillVerdict
  /** The sessions that listed or loaded it, and those of them that loaded it. */
  readonly sessions: number
  readonly loadedIn: number
  /** The messages that fit it, and for which it was not loaded. */
  readonly missed: number
}

export interface ToolTotal extends Omit<ToolUsage, 'description'> {
  readonly sessions: number
}

export interface ServerTotal extends Pick<ToolUsage, 'shown' | 'calls' | 'failures' | 'results'> {
  readonly name: string
  readonly tools: number
  /** The tools that were called. */
  readonly called: number
}

export interface PartTotal extends PartUsage {
  readonly sessions: number
}

/** The misses of the cache with one cause. */
export interface MissTotal {
  readonly cause: string
  readonly times: number
  readonly tokens: number
  readonly price: number
  /** The misses of which the provider reported nothing. */
  readonly estimates: number
  /** Those behind it, with the price of each. */
  readonly by: readonly { readonly who: string; readonly times: number; readonly price: number }[]
  /** The dearest ones. */
  readonly examples: readonly (CacheMiss & { readonly session: string })[]
}

/** A message that fits a skill, and did not get it. */
interface MissedMessage extends Pick<AskedMessage, 'entry' | 'text'> {
  readonly session: string
  readonly skill: string
  readonly confidence: number
  readonly words: readonly string[]
}

/** Two descriptions that messages do not distinguish. */
interface FightingPair {
  /** True when both say the same. */
  readonly isDuplicate: boolean
  readonly first: string
  readonly second: string
  readonly kind: 'skill' | 'tool'
  /** The words that both have. */
  readonly words: readonly string[]
}

/** The use and the cost of everything in many sessions. */
export interface UsageTotals {
  /** The sessions that a person began, and those of subagents. */
  readonly sessions: number
  readonly subagents: number
  readonly clients: readonly { readonly client: string; readonly sessions: number }[]
  readonly from: number | null
  readonly until: number | null
  readonly requests: number
  readonly reported: SessionUsage['reported']
  readonly price: number
  readonly skills: readonly SkillTotal[]
  readonly servers: readonly ServerTotal[]
  readonly tools: readonly ToolTotal[]
  readonly parts: readonly PartTotal[]
  readonly misses: readonly MissTotal[]
  readonly missed: readonly MissedMessage[]
  readonly fighting: readonly FightingPair[]
  readonly proposals: readonly Proposal[]
}

/** A skill that fewer sessions have listed is not judged dead. */
const FEWEST_SESSIONS = 5

/** A skill that a smaller share of its sessions loads is rare. */
const RARE = 0.05

/** Adds up sessions that were merged, judges their skills, and proposes changes. */
export function usageTotals(sessions: readonly SessionUsage[]): UsageTotals {
  const began = sessions.filter(({ parent }) => parent === null)
  // Messages that were kept without times have none.
  const times = sessions.filter(({ from }) => from > 0)
  const clients = [...Map.groupBy(began, ({ client }) => client)]
  const skills = [...groupByName(sessions, 'skills')].map(([, uses]) => totalSkill(uses, sessions))
  return {
    sessions: began.length,
    subagents: sessions.length - began.length,
    clients: clients.map(([client, all]) => ({ client, sessions: all.length })),
    from: times.reduce<number | null>((least, { from }) => Math.min(least ?? from, from), null),
    until: times.reduce<number | null>((most, { until }) => Math.max(most ?? 0, until), null),
    requests: sum(sessions.map(({ requests }) => requests)),
    reported: {
      requests: sum(sessions.map(({ reported }) => reported.requests)),
      input: sum(sessions.map(({ reported }) => reported.input)),
      cached: sum(sessions.map(({ reported }) => reported.cached)),
      written: sum(sessions.map(({ reported }) => reported.written)),
      output: sum(sessions.map(({ reported }) => reported.output)),
    },
    price: sum(sessions.map(({ price }) => price)),
    skills: skills.toSorted(byCost(({ listing, carried }) => listing.tokens + carried.tokens)),
    ...totalTools(sessions),
    parts: [...groupByName(sessions, 'parts')]
      .map(([, uses]) => totalPart(uses))
      .toSorted(byCost(({ shown }) => shown.tokens)),
    misses: totalMisses(sessions),
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
function groupByName<Of extends 'skills' | 'tools' | 'parts'>(
  sessions: readonly SessionUsage[],
  of: Of,
): Map<string, readonly SessionUsage[Of][number][]> {
  return Map.groupBy(
    sessions.flatMap((one): readonly SessionUsage[Of][number][] => one[of]),
    ({ name }) => name,
  )
}

function byCost<Total extends { readonly name: string }>(cost: (total: Total) => number) {
  return (a: Total, b: Total) => cost(b) - cost(a) || (a.name < b.name ? -1 : 1)
}

function addAll(all: readonly CarriedTokens[]): CarriedTokens {
  const added = all.reduce((total, one) => addCarried(total, one.tokens, 1, 0), NOTHING)
  return rounded({ ...added, cached: sum(all.map(({ cached }) => cached)) })
}

const NOTHING: CarriedTokens = { tokens: 0, cached: 0 }

function totalSkill(uses: readonly SkillUsage[], sessions: readonly SessionUsage[]): SkillTotal {
  const name = uses[0]?.name ?? ''
  const messages = sessions.flatMap((one) => one.messages)
  const missed = messages.filter((one) => one.missed?.skill === name).length
  const loadedIn = uses.filter(({ loads }) => loads > 0).length
  const counts = {
    loads: sum(uses.map(({ loads }) => loads)),
    named: sum(uses.map(({ named }) => named)),
    requests: sum(uses.map(({ requests }) => requests)),
    calls: sum(uses.map(({ calls }) => calls)),
    loadPrice: sum(uses.map(({ loadPrice }) => loadPrice)),
  }
  return {
    name,
    verdict: judgeSkill(counts.loads, missed, loadedIn, uses.length),
    description: uses.findLast(({ description }) => description !== '')?.description ?? '',
    sessions: uses.length,
    loadedIn,
    missed,
    ...counts,
    body: Math.max(...uses.map(({ body }) => body)),
    listing: addAll(uses.map(({ listing }) => listing)),
    carried: addAll(uses.map(({ carried }) => carried)),
    sections: totalSections(uses),
  }
}

function judgeSkill(
  loads: number,
  missed: number,
  loadedIn: number,
  sessions: number,
): SkillVerdict {
  if (missed > loads) return 'missed'
  if (loads === 0) return sessions < FEWEST_SESSIONS ? 'few sessions' : 'dead'
  return loadedIn / sessions < RARE ? 'rare' : 'pays'
}

/** Adds the parts of long instructions that have the same title and size. */
function totalSections(uses: readonly SkillUsage[]): SkillUsage['sections'] {
  const all = uses.flatMap(({ sections }) => sections)
  const groups = Map.groupBy(all, ({ title, tokens }) => JSON.stringify([title, tokens]))
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    return first ? { ...first, used: sum(group.map(({ used }) => used)) } : []
  })
}

function totalTools(sessions: readonly SessionUsage[]): Pick<UsageTotals, 'servers' | 'tools'> {
  const uses = sessions.flatMap(({ tools }) => tools)
  const groups = Map.groupBy(uses, ({ name, server }) => JSON.stringify([server, name]))
  const tools = [...groups.values()].flatMap((group): readonly ToolTotal[] => {
    const [first] = group
    return first
      ? [{ name: first.name, server: first.server, sessions: group.length, ...totalCalls(group) }]
      : []
  })
  const servers = [...Map.groupBy(tools, ({ server }) => server)].map(([name, group]) => {
    const { requests: _, deferred: __, ...counts } = totalCalls(group)
    const called = group.filter(({ calls }) => calls > 0).length
    return { name, tools: group.length, called, ...counts }
  })
  const cost = byCost(({ shown, results }: ServerTotal | ToolTotal) => shown.tokens + results)
  return { servers: servers.toSorted(cost), tools: tools.toSorted(cost) }
}

function totalCalls(group: readonly Omit<ToolUsage, 'description'>[]) {
  return {
    requests: sum(group.map(({ requests }) => requests)),
    deferred: sum(group.map(({ deferred }) => deferred)),
    shown: addAll(group.map(({ shown }) => shown)),
    calls: sum(group.map(({ calls }) => calls)),
    failures: sum(group.map(({ failures }) => failures)),
    results: sum(group.map(({ results }) => results)),
  }
}

function totalPart(uses: readonly PartUsage[]): PartTotal {
  return {
    name: uses[0]?.name ?? '',
    isFile: uses[0]?.isFile ?? false,
    sessions: uses.length,
    requests: sum(uses.map(({ requests }) => requests)),
    shown: addAll(uses.map(({ shown }) => shown)),
  }
}

const MOST_EXAMPLES = 5

function totalMisses(sessions: readonly SessionUsage[]): readonly MissTotal[] {
  const all = sessions.flatMap(({ session, misses }) => misses.map((one) => ({ ...one, session })))
  return [...Map.groupBy(all, ({ cause }) => cause)]
    .map(([cause, group]) => ({
      cause,
      ...priced(group),
      tokens: sum(group.map(({ tokens }) => tokens)),
      estimates: group.filter(({ isEstimate }) => isEstimate).length,
      by: [...Map.groupBy(group, ({ who }) => who ?? '')]
        .flatMap(([who, own]) => (who === '' ? [] : { who, ...priced(own) }))
        .toSorted((a, b) => b.price - a.price),
      examples: group.toSorted((a, b) => b.price - a.price).slice(0, MOST_EXAMPLES),
    }))
    .toSorted((a, b) => b.price - a.price || (a.cause < b.cause ? -1 : 1))
}

function priced(misses: readonly CacheMiss[]) {
  return { times: misses.length, price: sum(misses.map(({ price }) => price)) }
}

/** Finds the skills of sessions, and the tools of their servers, whose descriptions are confused. */
function findFighting(sessions: readonly SessionUsage[]): readonly FightingPair[] {
  const documents = new Map<string, ToolDocument>()
  // Those of the latest sessions count.
  for (const { skills, tools } of sessions.toSorted((a, b) => a.until - b.until)) {
    for (const { name, description } of skills)
      if (description !== '') documents.set(`skill ${name}`, { name, description, kind: 'skill' })
    for (const { name, description, server } of tools)
      if (description !== '') documents.set(`tool ${name}`, { name, description, owner: server })
  }
  return confusedPairs(documents.values()).flatMap(({ first, second, words }) => {
    if (first.kind !== second.kind) return []
    const [one, other] = [first, second].map(({ kind, name }) =>
      plain(documents.get(`${kind} ${name}`)?.description ?? ''),
    )
    const names = { first: first.name, second: second.name, kind: first.kind }
    return { isDuplicate: one === other, ...names, words }
  })
}

function plain(description: string): string {
  return description
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
