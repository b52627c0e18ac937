import type { ContentHash } from '../../kernel/content-hash.ts'
import { entryHash } from './entry-hash.ts'
import { readEntry } from './read-entry.ts'
import type { EntryRow } from './walk-entries.ts'

/**
 * The hash of an entry that a database has, by its number and text; undefined for none, and for what is
 * no entry. Throws `LOG_FORMAT` and `LOG_UNKNOWN_EVENT`.
 */
export function storedHash(row: EntryRow | undefined): ContentHash | undefined {
  const { seq, text } = row ?? {}
  if (typeof seq !== 'number' || typeof text !== 'string') return undefined
  const entry = readEntry(parsed(text), seq)
  return entry && entryHash(entry)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
