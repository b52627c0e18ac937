import type { ContentHash, JsonValue } from '../../../entries/index.ts'
import { parseDefinitions, type SerializedDefinition } from '../rows/unwritten-definitions.ts'

/**
 * The definitions that were put into a log or read from its file.
 *
 * Unlike a database, a file of JSON Lines may be deleted or replaced. All definitions are kept, and
 * written again to the next file.
 */
export class KnownDefinitions {
  readonly #texts = new Map<ContentHash, string>()
  readonly #inFile = new Set<ContentHash>()

  put(hash: ContentHash, definition: JsonValue): void {
    if (!this.#texts.has(hash)) this.#texts.set(hash, JSON.stringify(definition))
  }

  has(hash: ContentHash): boolean {
    return this.#texts.has(hash)
  }

  /** Returns those of these definitions that are known; new values at each call. */
  all(hashes: readonly ContentHash[]): ReadonlyMap<ContentHash, JsonValue> {
    return parseDefinitions(hashes, this.#texts)
  }

  /** Returns the definitions that the file does not have. */
  missing(): readonly SerializedDefinition[] {
    return [...this.#texts].filter(([hash]) => !this.#inFile.has(hash))
  }

  noteRead(definitions: ReadonlyMap<ContentHash, JsonValue>): void {
    for (const [hash, definition] of definitions) {
      this.#inFile.add(hash)
      this.put(hash, definition)
    }
  }

  noteWritten(definitions: readonly SerializedDefinition[]): void {
    for (const [hash] of definitions) this.#inFile.add(hash)
  }

  /** Forgets which definitions the file has, because it was deleted or replaced. */
  forgetFile(): void {
    this.#inFile.clear()
  }
}
