import { isDeepStrictEqual } from 'node:util'
import type { ConversationFacts, SkillList, ThreadFacts } from './facts.ts'

/** The kinds of facts that are compared. */
const KINDS = ['requests', 'shown', 'loaded', 'tools', 'calls', 'results'] as const

/** The numbers of facts of each kind that are the same, and that were compared. */
export type Agreement = Readonly<
  Record<(typeof KINDS)[number], readonly [same: number, of: number]>
>

/** The agreement of a transcript with the wire, and the facts that differ, in words. */
export interface ComparedFacts {
  readonly agreement: Agreement
  readonly differences: readonly string[]
}

/** Compares what a transcript says with the wire. A fact that a transcript never has is not compared. */
export function compareFacts(
  wire: ConversationFacts,
  transcript: ConversationFacts,
): ComparedFacts {
  const counts = Object.fromEntries(KINDS.map((kind) => [kind, [0, 0]])) as Record<
    (typeof KINDS)[number],
    [number, number]
  >
  const differences: string[] = []
  const check = (kind: (typeof KINDS)[number], what: string, seen: unknown, sent: unknown) => {
    const isSame = isDeepStrictEqual(seen, sent)
    counts[kind][0] += Number(isSame)
    counts[kind][1] += 1
    if (isSame) return
    const [a, b] = [seen, sent].map((one) => (JSON.stringify(one) ?? 'nothing').slice(0, 300))
    differences.push(`${kind} ${what}: the transcript has ${a}, the wire ${b}`)
  }
  for (const thread of new Set([...Object.keys(wire), ...Object.keys(transcript)])) {
    const [sent, seen] = [wire[thread] ?? NOTHING, transcript[thread] ?? NOTHING]
    check('requests', thread, seen.requests, sent.requests)
    if (seen.skills !== null) {
      for (let request = 1; request <= sent.requests; request += 1) {
        const shown = new Map(shownIn(seen, request))
        const listed = new Map(shownIn(sent, request))
        for (const name of new Set([...listed.keys(), ...shown.keys()])) {
          check('shown', `${thread} ${request} ${name}`, shown.get(name), listed.get(name))
        }
      }
    }
    for (const name of new Set([...sent.loaded, ...seen.loaded]))
      check('loaded', `${thread} ${name}`, seen.loaded.includes(name), sent.loaded.includes(name))
    if (seen.tools !== null) {
      const own = (names: readonly string[] | null) =>
        names?.filter((one) => one !== PLACEHOLDER) ?? []
      for (const name of new Set([...own(sent.tools), ...own(seen.tools)]))
        check('tools', `${thread} ${name}`, seen.tools.includes(name), sent.tools?.includes(name))
    }
    const known = new Map(seen.calls.map((one) => [one.call, one]))
    for (const { result, ...call } of sent.calls) {
      const { result: found = null, ...other } = known.get(call.call) ?? {}
      check('calls', `${thread} ${call.call}`, other, call)
      // A client that ends has no request with the last results.
      if (result !== null) check('results', `${thread} ${call.call}`, found, result)
    }
    const order = sent.calls.map(({ call }) => call)
    check(
      'calls',
      `${thread} order`,
      seen.calls.map(({ call }) => call),
      order,
    )
  }
  return { agreement: counts, differences }
}

const NOTHING: ThreadFacts = { requests: 0, skills: [], loaded: [], tools: null, calls: [] }

/** An entry that Claude Code sends while no deferred tool was found. */
const PLACEHOLDER = 'DeferredToolPlaceholder'

function shownIn({ skills }: ThreadFacts, request: number): SkillList {
  return skills?.findLast(([first]) => first <= request)?.[1] ?? []
}

/** Adds up agreements. */
export function sumAgreements(all: readonly Agreement[]): Agreement {
  return Object.fromEntries(
    KINDS.map((kind) => [
      kind,
      [0, 1].map((at) => all.reduce((sum, one) => sum + (one[kind][at] ?? 0), 0)),
    ]),
  ) as unknown as Agreement
}
