import { matchesDefinitionHash, redactDraft } from '../../../entries/adapter.ts'
import { entryHash } from '../../../entries/log.ts'
import {
  type ContentHash,
  createRedactor,
  type Diagnostic,
  type Entry,
  type EventLog,
  type JsonValue,
  type RedactionRules,
  WorkspaceError,
  type WorkspaceEvent,
  type WorkspaceState,
} from '../../../entries/index.ts'
import { checkedText, checkOptions, type OptionsOf } from '../../../entries/kit.ts'
import { LOG_BEGINNING } from './log-line.ts'
import { type LogScan, scanLog, unfinishedNotice } from './scan-log.ts'
import { fold } from '../../../engine/evolve/evolve.ts'
import { REDACTION_RULES } from '../../../kernel/redaction-rules.ts'

export interface ImportOptions {
  /** The id of the imported session; its own by default. */
  readonly as?: string
  /** Values to redact before the session is written; none by default. */
  readonly redact?: RedactionRules
}

const OPTIONS: OptionsOf<ImportOptions> = { as: 'text', redact: REDACTION_RULES }

type ImportEvent = Extract<WorkspaceEvent, { readonly type: 'session.imported' }>

/** An imported session. */
export interface ImportedSession {
  readonly session: string
  readonly version: number
  /** A notice when an incomplete append at the end was left out. */
  readonly notices: readonly Diagnostic[]
  /** The consent that was dropped, as in the last entry; null when there was none. */
  readonly dropped: ImportEvent | null
}

/**
 * Number of entries that are kept in memory and appended at a time. While a session allows something, its
 * entries wait for the one that drops it, so that the beginning of an import never allows anything.
 */
const CHUNK = 1_000

/**
 * Imports a session into any log from the output of `exportLines` or `exportLog`, or from a log
 * file of this format or an earlier one. Line endings may be CRLF.
 *
 * The session must be new to the log (`SESSION_KNOWN`). The import is all or nothing, with two
 * exceptions: if the process ends during it, or another process appends to the session
 * (`LOG_CONFLICT`), the first entries remain, and allow nothing. What the session allows is not imported, because a text
 * may come from anybody: then `session.imported` is its last entry. Throws `LOG_DAMAGED`, `LOG_FORMAT`,
 * `LOG_UNKNOWN_EVENT`, and `LOG_EMPTY` for a text without entries.
 */
export async function importSession(
  log: EventLog,
  source: LogText,
  options: ImportOptions = {},
): Promise<ImportedSession> {
  checkOptions(options, OPTIONS)
  return copySession(log, source, options, false)
}

/**
 * Imports what `importSession` imports. Nothing that is given is checked. `keepConsent` is for a backup of the host's own
 * session: its approvals, confirmations and rules that allow still count.
 */
export async function copySession(
  log: EventLog,
  source: LogText,
  { as, redact }: ImportOptions,
  keepConsent: boolean,
): Promise<ImportedSession> {
  const redactor = redact === undefined ? undefined : createRedactor(redact)
  let end = LOG_BEGINNING
  let unfinished = 0
  let waiting: Entry[] = []
  let state = fold([])
  let dropped: ImportEvent | null = null
  /** The last appended entry. */
  let last: Entry | undefined

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
      for (const [hash, definition] of scan.definitions) {
        checkDefinition(hash, definition, end.version - 1)
        await log.definitions.put(hash, redactor?.texts(definition) ?? definition)
      }
      for (const entry of scan.entries) {
        const shown = redactor === undefined ? entry : redactDraft(entry, redactor)
        waiting.push(keepConsent ? shown : { ...shown, unsealed: true })
      }
      if (!keepConsent) state = fold(scan.entries, state)
      end = scan.end
      unfinished = scan.unfinished
      if (waiting.length >= CHUNK && droppedConsent(state) === null) await flush()
    }
    dropped = droppedConsent(state)
    if (dropped !== null) {
      waiting.push({ seq: state.seq + 1, at: Date.now(), cause: { by: 'host' }, event: dropped })
    }
    await flush()
  } catch (error) {
    if (last !== undefined) await undoImport(log, as ?? end.session ?? '', last)
    throw error
  }
  if (last === undefined) {
    throw new WorkspaceError('LOG_EMPTY', 'The text has no session.', {
      hint: 'Give the output of an export, or a log file.',
    })
  }
  const notices = unfinished === 0 ? [] : [unfinishedNotice(end, unfinished)]
  return { session: as ?? end.session ?? '', version: versionAfter(last), notices, dropped }
}

/** Returns what a session allows; null when that is nothing. */
export function droppedConsent(state: WorkspaceState): ImportEvent | null {
  const { approvals, policy, intents } = state
  const approved = state.answers.filter(({ consent }) => consent !== 'denied')
  const confirmations = state.confirmations.length + approved.length
  const isPreApproved = policy.allowedTools === 'pre-approve'
  const allowed = approvals.length + confirmations + policy.allow.length + intents.length
  if (allowed === 0 && !isPreApproved) return null
  return {
    type: 'session.imported',
    tools: [...new Set(approvals.map(({ tool }) => tool))],
    confirmations,
    rules: policy.allow,
    ...(isPreApproved && { allowedTools: 'pre-approve' }),
    intents: intents.length,
  }
}

/** Throws `LOG_DAMAGED` for a definition that was changed. */
function checkDefinition(hash: ContentHash, definition: JsonValue, lastGoodSeq: number): void {
  if (matchesDefinitionHash(hash, definition)) return
  const reason = `definition ${hash} does not match its hash`
  throw new WorkspaceError('LOG_DAMAGED', `The text is damaged: ${reason}.`, {
    facts: { lastGoodSeq, reason },
    hint: 'The text was changed. Export the session again from its log.',
  })
}

async function checkNew(log: EventLog, session: string): Promise<void> {
  if ((await log.read(session, 0, 0)).length === 0) return
  throw new WorkspaceError('SESSION_KNOWN', `The log already has a session "${session}".`, {
    hint: 'Import it under another id, or delete the existing session.',
    facts: { session },
  })
}

function versionAfter(last: Entry | undefined): number {
  return last === undefined ? 0 : last.seq + 1
}

/**
 * Deletes the entries imported so far, unless another process has appended to the session or
 * replaced it.
 */
async function undoImport(log: EventLog, session: string, last: Entry): Promise<void> {
  const [found, ...others] = await log.read(session, last.seq)
  if (found === undefined || entryHash(found) !== entryHash(last)) return
  if (others.length === 0) await log.delete(session)
}

/** A session that was read from JSON Lines text. */
export interface ImportedLog {
  /** Null for empty text. */
  readonly session: string | null
  readonly entries: readonly Entry[]
  readonly definitions: ReadonlyMap<ContentHash, JsonValue>
  /** A notice when an incomplete append at the end of the text was left out. */
  readonly notices: readonly Diagnostic[]
}

/**
 * Reads a session from JSON Lines text: the output of `exportLog`, or a log file.
 *
 * Line endings may be CRLF, as in some checkouts. Throws `LOG_DAMAGED`, `LOG_FORMAT` or
 * `LOG_UNKNOWN_EVENT`.
 */
export function importLog(text: string): ImportedLog {
  const bytes = Buffer.from(checkedText(text, 'text').replaceAll('\r\n', '\n'))
  const { entries, definitions, end, unfinished } = scanLog(bytes, LOG_BEGINNING)
  const notices = unfinished === 0 ? [] : [unfinishedNotice(end, unfinished)]
  return { session: end.session, entries, definitions, notices }
}

/** JSON Lines as one text, or in pieces, such as a file that is being read. */
export type LogText = string | AsyncIterable<string | Uint8Array>

/**
 * Reads the text of a log in pieces, some complete appends at a time. The last scan reports what is
 * incomplete. Line endings may be CRLF. Throws the errors of `scanLog`.
 */
async function* scanPieces(source: LogText): AsyncGenerator<LogScan> {
  let end = LOG_BEGINNING
  let pieces: Uint8Array[] = []
  let held = 0
  /**
   * Bytes to collect before the next scan, so that a long append is not scanned for every piece.
   */
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
  for await (const piece of typeof source === 'string' ? [source] : source) {
    const read = typeof piece === 'string' ? Buffer.from(piece) : piece
    // JSON escapes carriage returns, so an unescaped one belongs to a line ending.
    const bytes = read.includes(CARRIAGE_RETURN)
      ? read.filter((byte) => byte !== CARRIAGE_RETURN)
      : read
    pieces.push(bytes)
    held += bytes.length
    if (held >= wanted) yield scanned()
  }
  yield scanned()
}

const CARRIAGE_RETURN = 0x0d
