import type { ContentHash } from '../../../kernel/content-hash.ts'
import type { JsonValue } from '../../../kernel/json-value.ts'
import type { SerializedDefinition } from '../../../workspace/log/unwritten-definitions.ts'

/**
 * The definitions that were put into a log or read from its file. Unlike those of a database they go
 * with the file, so all are kept: the next file gets them again.
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

  /** Each time a value of its own. */
  get(hash: ContentHash): JsonValue | undefined {
    const text = this.#texts.get(hash)
    return text === undefined ? undefined : (JSON.parse(text) as JsonValue)
  }

  /** Those that the file does not have. */
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

  /** The file is gone, or another one. */
  forgetFile(): void {
    this.#inFile.clear()
  }
}
