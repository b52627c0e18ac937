import type { ContentHash, EventLog, JsonValue } from '../../../entries/index.ts'

/** A definition with its hash, as the JSON text that a log writes. The text shares no objects with the caller. */
export type SerializedDefinition = readonly [ContentHash, string]

/** The definitions that a log has written, and the way to write more. */
interface WrittenDefinitions {
  has(hash: ContentHash): Promise<boolean>
  /** Reads the JSON texts of definitions; those that are not stored are left out. */
  texts(hashes: readonly ContentHash[]): Promise<ReadonlyMap<ContentHash, string>>
  write(definitions: readonly SerializedDefinition[]): Promise<void>
}

/** Parses those of these definitions that are among some texts. Each call makes new values. */
function parseDefinitions(
  hashes: readonly ContentHash[],
  texts: ReadonlyMap<ContentHash, string>,
): ReadonlyMap<ContentHash, JsonValue> {
  return new Map(
    hashes.flatMap((hash) => {
      const text = texts.get(hash)
      return text === undefined ? [] : [[hash, JSON.parse(text) as JsonValue] as const]
    }),
  )
}

/**
 * The definitions that were put into a log and are not written yet. Each is written together with the
 * next append, since no entry names it before; or by `flush`.
 */
export class UnwrittenDefinitions {
  readonly #texts = new Map<ContentHash, string>()
  #epoch = ''

  /** Returns the definitions of a log, unwritten and written ones; `written` looks for the latter. */
  storeOver(written: WrittenDefinitions): EventLog['definitions'] {
    const epoch = () => this.#epoch
    return {
      get epoch() {
        return epoch()
      },
      has: async (hash) => this.#texts.has(hash) || (await written.has(hash)),
      put: async (hash, definition) => {
        if (!this.#texts.has(hash)) this.#texts.set(hash, JSON.stringify(definition))
      },
      flush: async () => {
        const unwritten = this.all()
        if (unwritten.length > 0) await written.write(unwritten)
        this.noteWritten(unwritten)
      },
      get: async (hashes) => {
        const unwritten = parseDefinitions(hashes, this.#texts)
        const others = hashes.filter((hash) => !unwritten.has(hash))
        if (others.length === 0) return unwritten
        return new Map([...unwritten, ...parseDefinitions(others, await written.texts(others))])
      },
    }
  }

  all(): readonly SerializedDefinition[] {
    return [...this.#texts]
  }

  /** Notes the mark that the last pruning left in the log; undefined in a log that was never pruned. */
  noteEpoch(mark: unknown): void {
    this.#epoch = typeof mark === 'string' ? mark : ''
  }

  noteWritten(definitions: readonly SerializedDefinition[]): void {
    for (const [hash] of definitions) this.#texts.delete(hash)
  }
}

/** The key of the mark that a pruning leaves among the definitions of a log. No hash is like it. */
export const PRUNED = 'pruned'
