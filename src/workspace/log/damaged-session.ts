import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { type KeptIn, nameOfPlace } from './kept-in.ts'

/** Where damage was met. */
export interface Damage {
  readonly keptIn: KeptIn
  readonly reason: string
  /** Null when it is no session's, or not known whose it is. */
  readonly session: string | null
  /** Number of the last entry of the session before the damage, -1 for none; null when not known. */
  readonly lastGoodSeq: number | null
  readonly cause?: unknown
}

/** The error for a database that does not hold what was written. */
export function damagedSession(damage: Damage): WorkspaceError {
  const { keptIn, reason, session, lastGoodSeq, cause } = damage
  const place = nameOfPlace(keptIn)
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
