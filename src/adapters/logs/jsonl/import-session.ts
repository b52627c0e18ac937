import { LOG_BEGINNING } from './log-line.ts'
import { type LogScan, scanLog, unfinishedNotice } from './scan-log.ts'
import type { Entry } from '../../../engine/model/workspace-event.ts'
import type { ContentHash } from '../../../kernel/content-hash.ts'
import type { Diagnostic } from '../../../kernel/diagnostic.ts'
import type { JsonValue } from '../../../kernel/json-value.ts'
import type { RedactionRules } from '../../../kernel/redaction-rules.ts'
import { createRedactor } from '../../../kernel/redactor.ts'
import { WorkspaceError } from '../../../kernel/workspace-error.ts'
import type { EventLog } from '../../../workspace/log/event-log.ts'
import { redactDraft } from '../../../workspace/log/redact-draft.ts'
import { entryHash } from '../../../workspace/log/stored-entry.ts'
import { matchesDefinitionHash } from '../../../workspace/log/unwritten-definitions.ts'

export interface ImportOptions {
  /** The id the session gets; its own when absent. */
  readonly as?: string
  /** What is hidden before it comes into the log; nothing when absent. */
  readonly redact?: RedactionRules
}

/** A session that was brought into a log. */
export interface ImportedSession {
  readonly session: string
  readonly version: number
  /** What was left out: an append that was cut short at the end. */
  readonly notices: readonly Diagnostic[]
}

/** Entries that are kept in memory, and appended, at once. */
const CHUNK = 1_000

/**
 * Bring a session into any log: what `exportLines` or `exportLog` gave, or a log file, of this format
 * or an earlier one. Line ends may have become CRLF on the way.
 *
 * The session must be new to the log (`SESSION_KNOWN`). It comes whole or not at all, unless the
 * process ends half-way, or somebody else goes on with what is there (`LOG_CONFLICT`): then its first
 * entries are there. Throws `LOG_DAMAGED`, `LOG_FORMAT`, `LOG_UNKNOWN_EVENT`, and `LOG_EMPTY` for a
 * text without entries.
 */
export async function importSession(
  log: EventLog,
  source: LogText,
  { as, redact }: ImportOptions = {},
): Promise<ImportedSession> {
  const redactor = redact === undefined ? undefined : createRedactor(redact)
  let end = LOG_BEGINNING
  let unfinished = 0
  let waiting: Entry[] = []
  /** The entry that was appended last. */
  let last: Entry | undefined

  const keep = async (definitions: ReadonlyMap<ContentHash, JsonValue>): Promise<void> => {
    for (const [hash, definition] of definitions) {
      if (!matchesDefinitionHash(hash, definition)) throw definitionMismatch(hash, end.version - 1)
      await log.definitions.put(hash, redactor?.texts(definition) ?? definition)
    }
  }
  const flush = async (): Promise<void> => {
    const session = as ?? end.session
    if (session === null || waiting.length === 0) return
    if (last === undefined) await checkNew(log, session)
    await log.append(session, versionAfter(last), waiting, last && entryHash(last))
    last = waiting.at(-1)
    waiting = []
  }

  try {
    for await (const scan of scanPieces(source)) {
      await keep(scan.definitions)
      for (const entry of scan.entries) {
        waiting.push(redactor === undefined ? entry : redactDraft(entry, redactor))
      }
      end = scan.end
      unfinished = scan.unfinished
      if (waiting.length >= CHUNK) await flush()
    }
    await flush()
  } catch (error) {
    if (last !== undefined) await undoImport(log, as ?? end.session ?? '', last)
    throw error
  }
  if (last === undefined) throw emptyText()
  const notices = unfinished === 0 ? [] : [unfinishedNotice(end, unfinished)]
  return { session: as ?? end.session ?? '', version: versionAfter(last), notices }
}

function versionAfter(last: Entry | undefined): number {
  return last === undefined ? 0 : last.seq + 1
}

async function checkNew(log: EventLog, session: string): Promise<void> {
  if ((await log.read(session, 0, 0)).length === 0) return
  throw new WorkspaceError('SESSION_KNOWN', `The log has a session "${session}" already.`, {
    hint: 'Give the one that comes another id, or delete the one that is there.',
    facts: { session },
  })
}

/** Delete what was brought in so far, where nobody else has gone on with it or begun it anew. */
async function undoImport(log: EventLog, session: string, last: Entry): Promise<void> {
  const [found, ...others] = await log.read(session, last.seq)
  if (found === undefined || entryHash(found) !== entryHash(last)) return
  if (others.length === 0) await log.delete(session)
}

function definitionMismatch(hash: ContentHash, lastGoodSeq: number): WorkspaceError {
  const reason = `definition ${hash} is not what it hashes to`
  return new WorkspaceError('LOG_DAMAGED', `The text is damaged: ${reason}.`, {
    facts: { lastGoodSeq, reason },
    hint: 'Somebody changed it: take it from where it was written.',
  })
}

function emptyText(): WorkspaceError {
  return new WorkspaceError('LOG_EMPTY', 'The text holds no session.', {
    hint: 'Give what an export wrote, or a log file.',
  })
}

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

/** JSON Lines: a text, or its pieces one after another, such as a file that is read. */
export type LogText = string | AsyncIterable<string | Uint8Array>

/**
 * Read the text of a log from its beginning, some whole appends at a time; the last says what is left
 * over. Line ends may have become CRLF on the way. Throws as `scanLog` does.
 */
async function* scanPieces(source: LogText): AsyncGenerator<LogScan> {
  let end = LOG_BEGINNING
  let pieces: Uint8Array[] = []
  let held = 0
  /** Bytes at which it is worth looking again: an append of many lines counts when it is whole. */
  let wanted = 0
  const scanned = (): LogScan => {
    const bytes = Buffer.concat(pieces)
    const scan = scanLog(bytes, end)
    end = scan.end
    held = scan.unfinished
    wanted = 2 * held
    pieces = [bytes.subarray(bytes.length - held)]
    return scan
  }
  for await (const piece of piecesOf(source)) {
    pieces.push(piece)
    held += piece.length
    if (held >= wanted) yield scanned()
  }
  yield scanned()
}

const CARRIAGE_RETURN = 0x0d

/** JSON has no carriage return that is not escaped, so one that is there came in on the way. */
async function* piecesOf(source: LogText): AsyncGenerator<Uint8Array> {
  for await (const piece of typeof source === 'string' ? [source] : source) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
    yield bytes.includes(CARRIAGE_RETURN) ? bytes.filter((byte) => byte !== CARRIAGE_RETURN) : bytes
  }
}
