import { WorkspaceError } from '../../entries/index.ts'
import { locationName, type LogLocation } from './log-location.ts'

/** The damage of one session in a log, and the part of it that is intact. */
export interface LogDamage {
  /** Null when not even its name can be read. */
  readonly session: string | null
  /** The number of the last entry before the damage; -1 when there is none. */
  readonly lastGoodSeq: number
  /** The first damage, as half a sentence, such as `entry 7 is missing`. */
  readonly reason: string
  /** The line of the damage; null for a log without lines. */
  readonly line: number | null
  /** The entries or lines after the last intact entry, found or missing. */
  readonly lost: { readonly count: number; readonly unit: 'entry' | 'line' }
}

/** The result of repairing a log. */
export interface LogRepair {
  readonly file: string
  /** Every damaged session; empty when the log is intact. */
  readonly damages: readonly LogDamage[]
  /** The number of damaged definitions, which were removed. */
  readonly definitions: number
  /** The path of a copy of the file from before the repair; null when nothing was changed. */
  readonly copy: string | null
}

/**
 * The error for a database whose content is not what was written.
 *
 * @param session null when the damage belongs to no session, or to an unknown one
 * @param lastGoodSeq the number of the last entry before the damage; -1 when there is none, null when unknown
 */
export function damagedSession(
  keptIn: LogLocation,
  reason: string,
  session: string | null = null,
  lastGoodSeq: number | null = null,
  cause?: unknown,
): WorkspaceError {
  const place = locationName(keptIn)
  const what = session === null ? place : `Session "${session}" in ${place}`
  const keep = 'file' in keptIn ? 'Keep a copy of the file' : 'Make a dump'
  const hint =
    lastGoodSeq === null || lastGoodSeq < 0
      ? 'Put a backup in its place.'
      : `Entries up to ${lastGoodSeq} are intact. ${keep} before you repair it.`
  return new WorkspaceError('LOG_DAMAGED', `${what} is damaged: ${reason}.`, {
    facts: { ...keptIn, session, lastGoodSeq, reason },
    hint,
    cause,
  })
}
