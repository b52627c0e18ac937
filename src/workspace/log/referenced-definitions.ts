import { type ContentHash, contentHash, hashesIn } from '../../kernel/content-hash.ts'
import { isObject, type JsonValue } from '../../kernel/json-value.ts'
import { REDACTED } from '../../kernel/redactor.ts'
import type { EventLog } from './event-log.ts'

/**
 * Adds the hashes in the stored texts of entries to `referenced`, and those in the definitions with these hashes.
 * When all entries of a log were given, no session refers to the other definitions.
 *
 * @param textOf returns the stored text of a definition
 */
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
): AsyncGenerator<readonly [hash: ContentHash, definition: JsonValue]> {
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
 * Returns true when a definition from another log belongs to a hash. All sessions of a log share its
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
