import type { ContentHash } from '../../kernel/content-hash.ts'
import type { JsonValue } from '../../kernel/json.ts'
import type { EventLog } from './ports.ts'

/** Definitions as a log writes them, by hash: as JSON text, so that each is a value of its own. */
export type DefinitionText = readonly [ContentHash, string]

/**
 * What was put into a log and no append has written yet: entries that are not there name nothing, so a
 * definition is written by the append that follows it.
 */
export class UnwrittenDefinitions {
  readonly #texts = new Map<ContentHash, string>()

  /** The definitions of a log that has the written ones as JSON text. */
  storeOver(written: (hash: ContentHash) => Promise<string | undefined>): EventLog['definitions'] {
    return {
      put: async (hash, definition) => {
        if (!this.#texts.has(hash)) this.#texts.set(hash, JSON.stringify(definition))
      },
      get: async (hash) => {
        const text = this.#texts.get(hash) ?? (await written(hash))
        return text === undefined ? undefined : (JSON.parse(text) as JsonValue)
      },
    }
  }

  all(): readonly DefinitionText[] {
    return [...this.#texts]
  }

  noteWritten(definitions: readonly DefinitionText[]): void {
    for (const [hash] of definitions) this.#texts.delete(hash)
  }
}
