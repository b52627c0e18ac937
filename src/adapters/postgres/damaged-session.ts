import { WorkspaceError } from '../../kernel/workspace-error.ts'

/** Where damage was met. */
export interface Damage {
  readonly place: string
  readonly reason: string
  /** Null when it is no session's. */
  readonly session: string | null
  /** Number of the last entry of the session before the damage, -1 for none; null when not known. */
  readonly lastGoodSeq: number | null
}

/** The error for tables that do not hold what was written. */
export function damagedSession({ place, reason, session, lastGoodSeq }: Damage): WorkspaceError {
  const what = session === null ? place : `Session "${session}" in ${place}`
  const hint =
    lastGoodSeq === null || lastGoodSeq < 0
      ? 'Put a backup in its place.'
      : `Entries up to ${lastGoodSeq} are whole. Make a dump before anything is done to the rest.`
  return new WorkspaceError('LOG_DAMAGED', `${what} is damaged: ${reason}.`, {
    facts: { place, session, lastGoodSeq, reason },
    hint,
  })
}
