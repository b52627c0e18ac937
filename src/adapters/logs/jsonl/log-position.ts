import { FIRST_SUM } from './log-line.ts'

/** A place between two appends of a log, and what the log holds up to there. */
export interface LogPosition {
  /** Bytes before it. */
  readonly offset: number
  /** Lines before it. */
  readonly lines: number
  /** Checksum of the line before it. */
  readonly sum: string
  /** Null before the header. */
  readonly session: string | null
  /** Entries before it. */
  readonly version: number
  /** Wall clock of the first and last entry before it, milliseconds since 1970. */
  readonly openedAt: number
  readonly changedAt: number
}

export const LOG_BEGINNING: LogPosition = {
  offset: 0,
  lines: 0,
  sum: FIRST_SUM,
  session: null,
  version: 0,
  openedAt: 0,
  changedAt: 0,
}
