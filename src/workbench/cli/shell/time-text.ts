import { isoTime } from '../../playground/text/iso-time.ts'
import type { LogDamage } from '../../../connections/logs/log-damage.ts'

/** Returns the damage of a session as a line, with the number of lost entries. Not sanitised. */
export function damageText({ session, lastGoodSeq, reason, lost }: LogDamage): string {
  const what = session === null ? 'The log' : `Session "${session}"`
  const place = lastGoodSeq < 0 ? 'from the first entry' : `after entry ${lastGoodSeq}`
  const { count, unit } = lost
  const some = count === 1 ? `1 ${unit} is` : `${count} ${PLURALS[unit]} are`
  const gone = count === 0 ? 'Nothing is known to be' : some
  return `${what} is damaged ${place}: ${reason}. ${gone} lost.`
}

const PLURALS: Readonly<Record<LogDamage['lost']['unit'], string>> = {
  entry: 'entries',
  line: 'lines',
}

/** Formats a wall-clock time in UTC: `2026-11-21 06:51:03Z`; "?" for an invalid time. */
export function timeText(milliseconds: number): string {
  return (
    isoTime(milliseconds)
      ?.replace('T', ' ')
      .replace(/\.\d+Z$/, 'Z') ?? '?'
  )
}
