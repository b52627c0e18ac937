import type { EventLog } from '../../../src/workspace/log/event-log.ts'
import type { ContentHash } from '../../../src/kernel/content-hash.ts'
import type { JsonValue } from '../../../src/kernel/json-value.ts'

/** Reads one definition of a log; undefined when it is not stored. */
export async function definitionOf(
  { definitions }: Pick<EventLog, 'definitions'>,
  hash: string | undefined,
): Promise<JsonValue | undefined> {
  const [[, definition] = []] = await definitions.get([hash as ContentHash])
  return definition
}
