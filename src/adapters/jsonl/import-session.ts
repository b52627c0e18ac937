import type { Entry } from '../../engine/event.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import type { JsonValue } from '../../kernel/json.ts'
import { createRedactor } from '../../kernel/redaction/create-redactor.ts'
import type { RedactionRules } from '../../kernel/redaction/redaction-rules.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { EventLog } from '../../session/ports.ts'
import { isDefinedBy } from '../../session/stored/is-defined-by.ts'
import { redactDraft } from '../../session/redaction/redact-draft.ts'
import { LOG_BEGINNING } from './log-position.ts'
import { scanLog } from './scan-log.ts'
import { unfinishedNotice } from './unfinished-notice.ts'

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

/** JSON Lines: a text, or its pieces one after another, such as a file that is read. */
export type LogText = string | AsyncIterable<string | Uint8Array>

/** Entries that are kept in memory, and appended, at once. */
const CHUNK = 1_000

/**
 * Bring a session into any log: what `exportLines` or `exportLog` gave, or a log file, of this format
 * or an earlier one. Line ends may have become CRLF on the way.
 *
 * The session must be new to the log (`SESSION_KNOWN`). It comes whole or not at all, unless the
 * process ends half-way: then its first entries are there. Throws `LOG_DAMAGED`, `LOG_FORMAT`,
 * `LOG_UNKNOWN_EVENT`, and `LOG_EMPTY` for a text without entries.
 */
export async function importSession(
  log: EventLog,
  source: LogText,
  { as, redact }: ImportOptions = {},
): Promise<ImportedSession> {
  const redactor = redact === undefined ? undefined : createRedactor(redact)
  let end = LOG_BEGINNING
  let pieces: Uint8Array[] = []
  let held = 0
  /** Bytes at which it is worth looking again: an append of many lines counts when it is whole. */
  let wanted = 0
  let version = 0
  let waiting: Entry[] = []

  const keep = async (definitions: ReadonlyMap<ContentHash, JsonValue>): Promise<void> => {
    for (const [hash, definition] of definitions) {
      if (!isDefinedBy(hash, definition)) throw otherDefinition(hash, version + waiting.length - 1)
      await log.definitions.put(hash, redactor?.texts(definition) ?? definition)
    }
  }
  const flush = async (): Promise<void> => {
    const session = as ?? end.session
    if (session === null || waiting.length === 0) return
    if (version === 0) await checkNew(log, session)
    await log.append(session, version, waiting)
    version += waiting.length
    waiting = []
  }

  const take = async (): Promise<void> => {
    const bytes = Buffer.concat(pieces)
    const scan = scanLog(bytes, end)
    held = scan.unfinished
    wanted = 2 * held
    pieces = [bytes.subarray(bytes.length - held)]
    end = scan.end
    await keep(scan.definitions)
    for (const entry of scan.entries) {
      waiting.push(redactor === undefined ? entry : redactDraft(entry, redactor))
    }
  }

  try {
    for await (const piece of piecesOf(source)) {
      pieces.push(piece)
      held += piece.length
      if (held < wanted) continue
      await take()
      if (waiting.length >= CHUNK) await flush()
    }
    await take()
    await flush()
  } catch (error) {
    if (version > 0) await log.delete(as ?? end.session ?? '')
    throw error
  }
  if (version === 0) throw empty()
  const notices = held === 0 ? [] : [unfinishedNotice(end, held)]
  return { session: as ?? end.session ?? '', version, notices }
}

const CARRIAGE_RETURN = 0x0d

/** JSON has no carriage return that is not escaped, so one that is there came in on the way. */
async function* piecesOf(source: LogText): AsyncGenerator<Uint8Array> {
  for await (const piece of typeof source === 'string' ? [source] : source) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
    yield bytes.includes(CARRIAGE_RETURN) ? bytes.filter((byte) => byte !== CARRIAGE_RETURN) : bytes
  }
}

async function checkNew(log: EventLog, session: string): Promise<void> {
  if ((await log.read(session, 0, 0)).length === 0) return
  throw new WorkspaceError('SESSION_KNOWN', `The log has a session "${session}" already.`, {
    hint: 'Give the one that comes another id, or delete the one that is there.',
    facts: { session },
  })
}

function otherDefinition(hash: ContentHash, lastGoodSeq: number): WorkspaceError {
  const reason = `definition ${hash} is not what it hashes to`
  return new WorkspaceError('LOG_DAMAGED', `The text is damaged: ${reason}.`, {
    facts: { lastGoodSeq, reason },
    hint: 'Somebody changed it: take it from where it was written.',
  })
}

function empty(): WorkspaceError {
  return new WorkspaceError('LOG_EMPTY', 'The text holds no session.', {
    hint: 'Give what an export wrote, or a log file.',
  })
}
