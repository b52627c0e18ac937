import { LOG_FORMAT, type Entry } from '../../engine/model/event.ts'

/** An entry as logs keep it: it says of which format it is. Those of format 1 do not say so. */
export type StoredEntry = Entry & { readonly format: typeof LOG_FORMAT }

/** What a log writes of an entry; `readEntry` reads it back. */
export function storedEntry({ seq, at, cause, event }: Entry): StoredEntry {
  return { seq, at, format: LOG_FORMAT, cause, event }
}
