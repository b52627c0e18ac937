import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { locationName, type LogLocation } from './log-location.ts'

/** What is wrong with one session of a log, and how much of it is whole. */
export interface LogDamage {
  /** Null where not even its name can be read. */
  readonly session: string | null
  /** Number of the last whole entry, counted from the beginning; -1 for none. */
  readonly lastGoodSeq: number
  /** The first thing that is not what was written, as half a sentence. */
  readonly reason: string
  /** The line it stands in, of a log that has lines. */
  readonly line: number | null
  /** What stands there, or should, after the last whole entry. */
  readonly lost: { readonly count: number; readonly unit: 'entry' | 'line' }
}

/** What was found in a log, and what became of it. */
export interface LogRepair {
  readonly file: string
  /** Every damaged session; none when the log is what was written. */
  readonly damages: readonly LogDamage[]
  /** Definitions that were taken out because they are not what was written. */
  readonly definitions: number
  /** The file as it was before; null when nothing was changed. */
  readonly copy: string | null
}

/** Where damage was met. */
interface DamageFacts {
  readonly keptIn: LogLocation
  readonly reason: string
  /** Null when it is no session's, or not known whose it is. */
  readonly session: string | null
  /** Number of the last entry of the session before the damage, -1 for none; null when not known. */
  readonly lastGoodSeq: number | null
  readonly cause?: unknown
}

/** The error for a database that does not hold what was written. */
export function damagedSession(damage: DamageFacts): WorkspaceError {
  const { keptIn, reason, session, lastGoodSeq, cause } = damage
  const place = locationName(keptIn)
  const what = session === null ? place : `Session "${session}" in ${place}`
  const keep = 'file' in keptIn ? 'Keep a copy of the file' : 'Make a dump'
  const hint =
    lastGoodSeq === null || lastGoodSeq < 0
      ? 'Put a backup in its place.'
      : `Entries up to ${lastGoodSeq} are whole. ${keep} before anything is done to it.`
  return new WorkspaceError('LOG_DAMAGED', `${what} is damaged: ${reason}.`, {
    facts: { ...keptIn, session, lastGoodSeq, reason },
    hint,
    cause,
  })
}
