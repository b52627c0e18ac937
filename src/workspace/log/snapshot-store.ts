/** The state after an entry, as text. */
export interface StoredSnapshot {
  /** The entry the state ends with. */
  readonly seq: number
  /** What can read the text: another version of Loadout may fold another state of the same entries. */
  readonly format: string
  readonly text: string
}

/**
 * A cache of folded states beside a log, which spares reading a long session from its beginning.
 *
 * It may lose anything at any time, and is never believed over the log: who takes a text looks
 * whether it is whole and belongs to the entries that are there. What it holds of a session goes
 * when the session is deleted.
 */
export interface SnapshotStore {
  /** Keep a snapshot, in the place of one for the same entry. */
  put(session: string, snapshot: StoredSnapshot): Promise<void>
  /** The latest of a format that ends with `atMost` or before; with the latest when it is absent. */
  latest(session: string, format: string, atMost?: number): Promise<StoredSnapshot | undefined>
}
