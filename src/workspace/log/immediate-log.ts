import type { ContentHash } from '../../kernel/content-hash.ts'
import type { JsonValue } from '../../kernel/json.ts'
import type { Entry } from '../../engine/model/event.ts'

/**
 * The same log for who cannot wait: what it takes is committed when the call returns. Only a log
 * in memory can say that of itself; it is `EventLog` in all else.
 */
export interface ImmediateLog {
  append(
    session: string,
    expectedVersion: number,
    entries: readonly Entry[],
    after?: ContentHash,
  ): void
  read(session: string, from?: number, last?: number): readonly Entry[]
  delete(session: string): void
  readonly definitions: {
    put(hash: ContentHash, definition: JsonValue): void
    get(hash: ContentHash): JsonValue | undefined
  }
}
