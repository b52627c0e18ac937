import type { Entry } from '../../engine/event.ts'
import { textHash } from '../../kernel/content-hash.ts'

/** Tells an entry from another one of the same number, whichever log it comes from. */
export function entryHash({ seq, at, cause, event }: Entry): string {
  return textHash(JSON.stringify([seq, at, cause, event]))
}
