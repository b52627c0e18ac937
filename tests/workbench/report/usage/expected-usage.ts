import type { UsageTotals } from '../../../../src/workbench/report/usage/usage-totals.ts'
import {
  MEMORY,
  type PlantedCall,
  type PlantedRequest,
  type PlantedSession,
  SKILLS,
} from './planted-sessions.ts'
import { memoryText, toolDefinition } from './write-sessions.ts'

type Count = (text: string) => number

/** The figures that were planted, in the form of a report that is compared with them. */
export function expectedUsage(sessions: readonly PlantedSession[], count: Count) {
  const requests = sessions.flatMap((one) => one.requests)
  const usages = requests.map(({ usage }) => usage)
  return {
    sessions: sessions.length,
    clients: tally(sessions.map(({ client }) => client)),
    requests: requests.length,
    reported: {
      requests: requests.length,
      input: sum(usages.map(({ input }) => input)),
      cached: sum(usages.map(({ cached }) => cached)),
      written: sum(usages.map(({ written }) => written)),
      output: sum(usages.map(({ output }) => output)),
    },
    price: sum(sessions.map((one) => Math.round(sum(one.requests.map(priceOf))))),
    skills: Object.fromEntries(
      SKILLS.map(({ name }) => [name, skillFigures(name, sessions, count)]),
    ),
    tools: toolFigures(sessions, count),
    memory: sum(
      claude(sessions).flatMap((one) =>
        one.requests.map(() => count(memoryText(one.requests[0]?.memory ?? ''))),
      ),
    ),
    system: sum(claude(sessions).flatMap((one) => one.requests.map(({ system }) => count(system)))),
    misses: missFigures(sessions),
    missed: sessions
      .flatMap(({ session, missed }) => missed.map((skill) => `${session} ${skill}`))
      .toSorted(),
    fighting: [
      ['inbox-summary', 'mail-digest', true],
      ['image-scale', 'photo-resize', false],
    ]
      .map(String)
      .toSorted(),
    proposals: proposalFigures(sessions, count),
  }
}

/** The same figures of a report. */
export function reportedUsage(totals: UsageTotals): ReturnType<typeof expectedUsage> {
  const part = (name: string) => totals.parts.find((one) => one.name === name)?.shown.tokens ?? 0
  return {
    sessions: totals.sessions,
    clients: Object.fromEntries(totals.clients.map(({ client, sessions }) => [client, sessions])),
    requests: totals.requests,
    reported: totals.reported,
    price: totals.price,
    skills: Object.fromEntries(
      totals.skills.map(
        ({
          name,
          verdict,
          sessions,
          loadedIn,
          loads,
          missed,
          requests,
          calls,
          listing,
          body,
          loadPrice,
        }) => [
          name,
          {
            verdict,
            sessions,
            loadedIn,
            loads,
            missed,
            requests,
            calls,
            listing: listing.tokens,
            body,
            loadPrice,
          },
        ],
      ),
    ),
    tools: Object.fromEntries(
      totals.tools.map(({ name, server, requests, calls, failures, shown }) => [
        name,
        { server, requests, calls, failures, shown: shown.tokens },
      ]),
    ),
    memory: part(MEMORY),
    system: part('System prompt'),
    misses: Object.fromEntries(
      totals.misses.map(({ cause, times, tokens, price, by }) => [
        cause,
        { times, tokens, price, by: Object.fromEntries(by.map((one) => [one.who, one.times])) },
      ]),
    ),
    missed: totals.missed.map(({ session, skill }) => `${session} ${skill}`).toSorted(),
    fighting: totals.fighting
      .map(({ first, second, isDuplicate }) => String([...[first, second].toSorted(), isDuplicate]))
      .toSorted(),
    proposals: totals.proposals
      .map(({ kind, names, before, after }) => `${kind} ${names.join(' ')} ${before} ${after}`)
      .toSorted(),
  }
}

const [READ, WRITE] = [0.1, 1.25]

function priceOf({ usage: { input, cached, written } }: PlantedRequest): number {
  return input - cached - written + written * WRITE + cached * READ
}

function claude(sessions: readonly PlantedSession[]): readonly PlantedSession[] {
  return sessions.filter(({ client }) => client === 'claude-code')
}

/** The loads of a skill in a session: the numbers of their requests, and the calls after each in its turn. */
function loadsOf(name: string, { requests }: PlantedSession) {
  return requests.flatMap((request, index) => {
    if (!request.calls.some(({ skill }) => skill === name)) return []
    const later = requests.slice(index + 1)
    const end = later.findIndex(({ said }) => said !== null)
    const turn = end < 0 ? later : later.slice(0, end)
    const calls = turn.flatMap((one) => one.calls).filter(({ skill }) => skill === undefined)
    return [{ index, again: request.usage.input * READ, calls: calls.length }]
  })
}

function skillFigures(name: string, sessions: readonly PlantedSession[], count: Count) {
  const { description = '', body = '' } = SKILLS.find((one) => one.name === name) ?? {}
  const loads = sessions.map((one) => loadsOf(name, one))
  const loadedIn = loads.filter((one) => one.length > 0).length
  const missed = sessions.flatMap((one) => one.missed).filter((one) => one === name).length
  const requests = sum(sessions.map((one) => one.requests.length))
  const all = loads.flat()
  const verdict =
    missed > all.length
      ? 'missed'
      : all.length === 0
        ? 'dead'
        : loadedIn / sessions.length < 0.05
          ? 'rare'
          : 'pays'
  return {
    verdict: verdict as UsageTotals['skills'][number]['verdict'],
    sessions: sessions.length,
    loadedIn,
    loads: all.length,
    missed,
    requests,
    calls: sum(all.map(({ calls }) => calls)),
    listing: requests * count(`- ${name}: ${description}`),
    body: all.length === 0 ? 0 : count(body),
    loadPrice: sum(loads.map((one) => Math.round(sum(one.map(({ again }) => again))))),
  }
}

function toolFigures(sessions: readonly PlantedSession[], count: Count) {
  const figures: Record<
    string,
    { server: string; requests: number; calls: number; failures: number; shown: number }
  > = {}
  const named = (name: string) =>
    (figures[name] ??= {
      server: /^mcp__(.+?)__/.exec(name)?.[1] ?? 'agent',
      requests: 0,
      calls: 0,
      failures: 0,
      shown: 0,
    })
  for (const { client, requests } of sessions) {
    for (const { tools, calls } of requests) {
      // Codex does not write which tools a request had.
      for (const tool of client === 'codex' ? [] : tools) {
        named(tool).requests += 1
        named(tool).shown += count(JSON.stringify(toolDefinition(tool)))
      }
      for (const { tool, isFailed } of calls) {
        const figure = named(
          client === 'codex' && !tool.startsWith('mcp__') ? 'exec_command' : tool,
        )
        figure.calls += 1
        if (isFailed) figure.failures += 1
      }
    }
  }
  return figures
}

function missFigures(sessions: readonly PlantedSession[]) {
  const all = sessions.flatMap(({ misses }) => misses)
  const groups = [...Map.groupBy(all, ({ cause }) => cause)]
  return Object.fromEntries(
    groups.map(([cause, group]) => [
      cause,
      {
        times: group.length,
        tokens: sum(group.map(({ tokens }) => tokens)),
        price: sum(group.map(({ tokens }) => Math.round(tokens * (WRITE - READ)))),
        by: tally(group.flatMap(({ who }) => who ?? [])),
      },
    ]),
  )
}

/** The changes that make the planted sessions better, by their own prices. */
function proposalFigures(sessions: readonly PlantedSession[], count: Count): readonly string[] {
  const loaded = SKILLS.map((one) => {
    const loads = sessions.map((session) => loadsOf(one.name, session))
    return {
      ...one,
      tokens: count(one.body),
      loads,
      in: loads.filter((own) => own.length > 0).length,
    }
  }).filter((one) => one.in >= 3)
  const pins = loaded.flatMap(({ name, tokens, loads }) => {
    const before = sum(loads.map((own) => Math.round(sum(own.map(({ again }) => again)))))
    const added = sessions.map(({ requests }, at) => {
      const first = loads[at]?.[0]
      return first ? READ * first.index : WRITE + READ * (requests.length - 1)
    })
    const after = Math.round(sum(added.map((factor) => (Math.round(factor * 100) / 100) * tokens)))
    return after < before ? [`pin ${name} ${before} ${after}`] : []
  })
  return [
    ...pins,
    ...splitFigures(loaded, count),
    ...mergeFigures(loaded),
    ...relatedFigures(sessions),
    ...phraseFigures(sessions),
  ].toSorted()
}

type Loaded = PlantedSkill & {
  readonly loads: readonly ReturnType<typeof loadsOf>[]
  readonly in: number
  readonly tokens: number
}
type PlantedSkill = (typeof SKILLS)[number]

/** Two of the three parts of the long skill fit no message. */
function splitFigures(loaded: readonly Loaded[], count: Count): readonly string[] {
  return loaded.flatMap(({ part, name, body, loads, tokens }) => {
    if (part !== 'long') return []
    const [, ...moved] = body.split(/^(?=# )/m)
    const times = loads.flat().length
    const after = tokens - sum(moved.map(count))
    return [`split ${name} ${times * tokens} ${times * after}`]
  })
}

function mergeFigures(loaded: readonly Loaded[]): readonly string[] {
  const [first, second] = loaded.filter(({ part }) => part === 'together')
  if (first === undefined || second === undefined) return []
  const before = first.loads.map((own, at) => {
    const prices = [own, second.loads[at] ?? []].flatMap((all) =>
      all.map(({ again }) => Math.round(again)),
    )
    return prices.length === 0 ? 0 : Math.min(...prices)
  })
  return [`merge ${[first.name, second.name].toSorted().join(' ')} ${Math.round(sum(before))} 0`]
}

/** Only sessions of Claude Code search for the second tool. */
function relatedFigures(sessions: readonly PlantedSession[]): readonly string[] {
  const searches = claude(sessions).flatMap(({ requests }) => {
    const own = requests.filter(({ calls }) =>
      calls.some(({ tool }: PlantedCall) => tool === 'ToolSearch'),
    )
    return own.map(({ usage }) => Math.round(usage.input * READ))
  })
  return searches.length < 3
    ? []
    : [`related mcp__store__list_orders mcp__store__open_order ${sum(searches)} 0`]
}

function phraseFigures(sessions: readonly PlantedSession[]): readonly string[] {
  const own = sessions.filter((one) => loadsOf('stock-report', one).length > 0)
  return own.length < 3 ? [] : [`phrases stock-report 0 ${own.length}`]
}

function tally(names: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    [...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]),
  )
}

function sum(all: readonly number[]): number {
  return all.reduce((total, one) => total + one, 0)
}
