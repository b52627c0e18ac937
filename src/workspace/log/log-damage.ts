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
