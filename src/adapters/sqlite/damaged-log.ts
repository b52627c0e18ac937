import { WorkspaceError } from '../../kernel/workspace-error.ts'

/** Where damage was met. */
export interface Damage {
  readonly file: string
  readonly reason: string
  /** Null when it is not known whose it is. */
  readonly session: string | null
  /** Number of the last entry of the session before the damage, -1 for none; null when not known. */
  readonly lastGoodSeq: number | null
  readonly cause?: unknown
}

/** The error for a database that does not hold what was written. */
export function damagedLog({ file, reason, session, lastGoodSeq, cause }: Damage): WorkspaceError {
  const place = session === null ? file : `Session "${session}" in ${file}`
  const kept =
    lastGoodSeq === null || lastGoodSeq < 0
      ? 'Put a backup in its place.'
      : `Entries up to ${lastGoodSeq} are whole. Keep a copy of the file before anything is done to it.`
  return new WorkspaceError('LOG_DAMAGED', `${place} is damaged: ${reason}.`, {
    facts: { file, session, lastGoodSeq, reason },
    hint: kept,
    cause,
  })
}
