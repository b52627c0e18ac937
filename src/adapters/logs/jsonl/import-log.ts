import type { Entry } from '../../../engine/model/event.ts'
import type { ContentHash } from '../../../kernel/content-hash.ts'
import type { Diagnostic } from '../../../kernel/diagnostic.ts'
import type { JsonValue } from '../../../kernel/json.ts'
import { LOG_BEGINNING } from './log-position.ts'
import { scanLog } from './scan-log.ts'
import { unfinishedNotice } from './unfinished-notice.ts'

/** A session as it stands in JSON Lines text. */
export interface ImportedLog {
  /** Null for empty text. */
  readonly session: string | null
  readonly entries: readonly Entry[]
  readonly definitions: ReadonlyMap<ContentHash, JsonValue>
  /** What was left out: an append that was cut short at the end of the text. */
  readonly notices: readonly Diagnostic[]
}

/**
 * Read a session from the text of a JSON Lines log: what `exportLog` gave, or a log file.
 *
 * Throws `LOG_DAMAGED`, `LOG_FORMAT` or `LOG_UNKNOWN_EVENT`. Line ends may have become CRLF
 * on the way, as they do in some checkouts.
 */
export function importLog(text: string): ImportedLog {
  const bytes = Buffer.from(text.replaceAll('\r\n', '\n'))
  const { entries, definitions, end, unfinished } = scanLog(bytes, LOG_BEGINNING)
  const notices = unfinished === 0 ? [] : [unfinishedNotice(end, unfinished)]
  return { session: end.session, entries, definitions, notices }
}
