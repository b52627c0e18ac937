import { describeCause, describeEvent } from '../../engine/explain/describe-event.ts'
import type { Entry } from '../../engine/model/workspace-event.ts'
import type { LogDamage } from '../../workspace/log/log-damage.ts'

/** One entry of a log as a line: its number, its cause and what happened. Not yet sanitised. */
export function describeEntry({ seq, cause, event }: Entry): string {
  return `#${seq} ${describeCause(cause)}: ${describeEvent(event)}`
}

/** What is wrong with a session, and what of it is lost, as a line. Not yet sanitised. */
export function damageText({ session, lastGoodSeq, reason, lost }: LogDamage): string {
  const what = session === null ? 'The log' : `Session "${session}"`
  const kept = lastGoodSeq < 0 ? 'from its beginning' : `after entry ${lastGoodSeq}`
  return `${what} is damaged ${kept}: ${reason}. ${lostText(lost)}`
}

const PLURALS: Readonly<Record<LogDamage['lost']['unit'], string>> = {
  entry: 'entries',
  line: 'lines',
}

function lostText({ count, unit }: LogDamage['lost']): string {
  if (count === 0) return 'Nothing is known to be lost.'
  return count === 1 ? `1 ${unit} is lost.` : `${count} ${PLURALS[unit]} are lost.`
}

/** A wall clock as people read it, in UTC: `2026-11-21 06:51:03Z`; a question mark for none. */
export function timeText(milliseconds: number): string {
  return (
    isoTime(milliseconds)
      ?.replace('T', ' ')
      .replace(/\.\d+Z$/, 'Z') ?? '?'
  )
}

/** The same for programs; null for what is no time, as in a damaged row. */
export function isoTime(milliseconds: number): string | null {
  const date = new Date(milliseconds)
  return milliseconds === 0 || Number.isNaN(date.getTime()) ? null : date.toISOString()
}
