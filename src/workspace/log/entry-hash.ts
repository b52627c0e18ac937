import type { Entry } from '../../engine/model/event.ts'
import { type ContentHash, textHash } from '../../kernel/content-hash.ts'

/** Tells an entry from another one of the same number, whichever log it comes from. */
export function entryHash({ seq, at, cause, event }: Entry): ContentHash {
  return textHash(JSON.stringify([seq, at, cause, event]))
}
