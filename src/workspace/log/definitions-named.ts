import type { ContentHash } from '../../kernel/content-hash.ts'
import { hashesIn } from '../../kernel/hashes-in.ts'
import type { JsonValue } from '../../kernel/json.ts'
import type { EventLog } from './ports.ts'

/** A definition with the hash it is kept by. */
export type HashedDefinition = readonly [ContentHash, JsonValue]

/**
 * The definitions that some data names, and those that these name in turn, each once over all calls
 * with the same `seen`. Many hashes are of something else; those are left out.
 */
export async function* definitionsNamed(
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
