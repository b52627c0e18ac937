import type { Entry } from '../../../entries/index.ts'
import { describeEvent } from '../../../entries/kit.ts'
import { counted } from '../../../entries/plan.ts'

/**
 * Describes the event of an entry: of a compaction in the session of another agent, also what it lost, by the entries
 * around it.
 *
 * @param entries all entries of the session
 */
export function eventText(entries: readonly Entry[], entry: Entry): string {
  const { event, seq } = entry
  if (event.type !== 'session.compacted' || event.before === undefined) return describeEvent(event)
  const { before } = event
  const isOther = (at: number) => entries[at]?.event.type === 'session.compacted'
  let [first, end] = [seq, seq + 1]
  while (first > 0 && !isOther(first - 1)) first -= 1
  while (end < entries.length && !isOther(end)) end += 1
  const [since, rest] = [entries.slice(first, seq), entries.slice(seq + 1, end)]
  const after = event.tokens || inputAfter(rest)
  const [calls, results] = (['call.started', 'call.ended'] as const).map(
    (type) => since.filter((one) => one.event.type === type).length,
  )
  const kept = rest.findIndex((one) => closedSkill(one) === null)
  const lost = (kept < 0 ? rest : rest.slice(0, kept)).map((one) => `"${closedSkill(one)}"`)
  return [
    `history${before > 0 ? ` of ${before} tokens` : ''} summarised`,
    after > 0 && after < before ? ` to ${after}, ${before - after} fewer` : '',
    calls ? `; it had ${counted(calls, 'call')} and ${counted(results ?? 0, 'result')}` : '',
    lost.length > 0 ? `; lost: the instructions of ${lost.join(', ')}` : '',
  ].join('')
}

/** Returns the tokens of the first request; 0 when its provider did not count them. */
function inputAfter(entries: readonly Entry[]): number {
  const first = entries.find(({ event }) => event.type === 'step.begun')?.event
  const step = first?.type === 'step.begun' ? first.step : null
  for (const { event } of entries) {
    if (event.type === 'step.reported' && event.step === step) return event.usage.input
  }
  return 0
}

/** Returns the skill whose instructions an entry removes; null for any other entry. */
function closedSkill({ event }: Entry): string | null {
  const isSkill = event.type === 'source.closed' && event.source === 'skill'
  return isSkill && event.names === null ? event.owner : null
}
