import { type ContentHash, contentHash, hashesIn } from '../../kernel/content-hash.ts'
import { isObject, type JsonValue } from '../../kernel/json-value.ts'
import { REDACTED } from '../../kernel/redactor.ts'
import type { EventLog } from './event-log.ts'

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
export function parseDefinitions(
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

/** Adds the hashes in some texts, and those in the definitions with these hashes, which `textOf` returns. */
export function addReferences(
  texts: Iterable<string>,
  referenced: Set<string>,
  textOf: (hash: string) => string | undefined,
): void {
  const waiting: string[] = []
  const scan = (text: string) => {
    for (const [hash] of text.matchAll(/sha256:[0-9a-f]{64}/gu)) {
      if (referenced.has(hash)) continue
      referenced.add(hash)
      waiting.push(hash)
    }
  }
  for (const text of texts) scan(text)
  for (let hash = waiting.pop(); hash !== undefined; hash = waiting.pop()) scan(textOf(hash) ?? '')
}

/** A definition with the hash it is stored under. */
type HashedDefinition = readonly [ContentHash, JsonValue]

/**
 * Yields the definitions that some data names, and those that these name in turn. Hashes of other things
 * are left out.
 *
 * @param seen hashes that are left out as well; all hashes that were looked up are added to it
 */
export async function* referencedDefinitions(
  { definitions }: EventLog,
  data: unknown,
  seen: Set<ContentHash>,
): AsyncGenerator<HashedDefinition> {
  const waiting = [...hashesIn(data)]
  while (waiting.length > 0) {
    const unseen = waiting.splice(0, READ_AT_ONCE).filter((hash) => !seen.has(hash))
    for (const hash of unseen) seen.add(hash)
    for (const [hash, definition] of await definitions.get(unseen)) {
      yield [hash, definition]
      waiting.push(...hashesIn(definition))
    }
  }
}

/** Definitions that an export reads at once. Some are large. */
const READ_AT_ONCE = 100

/**
 * Checks that a definition from another log belongs to a hash. All sessions of a log share its
 * definitions. A tool is hashed, and a skill names its own hash. A definition that was stored without
 * its secrets has the hash it had with them, so it is accepted.
 */
export function matchesDefinitionHash(hash: ContentHash, definition: JsonValue): boolean {
  if (contentHash(definition) === hash) return true
  if (!isObject(definition)) return false
  const { byDefault: _, annotations: __, ...hashed } = definition
  if (contentHash(hashed) === hash) return true
  if (!('inputSchema' in definition) && 'hash' in definition) return definition['hash'] === hash
  return JSON.stringify(definition).includes(REDACTED)
}
