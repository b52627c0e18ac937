import { type ContentHash, contentHash, hashesIn } from '../../kernel/content-hash.ts'
import type { JsonValue } from '../../kernel/json-value.ts'
import { REDACTED } from '../../kernel/redactor.ts'
import type { EventLog } from './event-log.ts'

/** Definitions as a log writes them, by hash: as JSON text, so that each is a value of its own. */
export type SerializedDefinition = readonly [ContentHash, string]

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

  all(): readonly SerializedDefinition[] {
    return [...this.#texts]
  }

  noteWritten(definitions: readonly SerializedDefinition[]): void {
    for (const [hash] of definitions) this.#texts.delete(hash)
  }
}

/** A definition with the hash it is kept by. */
type HashedDefinition = readonly [ContentHash, JsonValue]

/**
 * The definitions that some data names, and those that these name in turn, each once over all calls
 * with the same `seen`. Many hashes are of something else; those are left out.
 */
export async function* referencedDefinitions(
  { definitions }: EventLog,
  data: unknown,
  seen: Set<ContentHash>,
): AsyncGenerator<HashedDefinition> {
  const waiting = [...hashesIn(data)]
  for (const hash of waiting) {
    if (seen.has(hash)) continue
    seen.add(hash)
    const definition = await definitions.get(hash)
    if (definition === undefined) continue
    yield [hash, definition]
    waiting.push(...hashesIn(definition))
  }
}

/**
 * Whether a definition that comes from elsewhere may be kept under a hash, which all sessions of a log
 * share: that of a tool is what it hashes to, a skill says its own. One that was kept without its
 * secrets has the hash it had with them.
 */
export function matchesDefinitionHash(hash: ContentHash, definition: JsonValue): boolean {
  if (contentHash(definition) === hash) return true
  if (typeof definition !== 'object' || definition === null) return false
  if (!('inputSchema' in definition) && 'hash' in definition) return definition['hash'] === hash
  return JSON.stringify(definition).includes(REDACTED)
}
