import { decodeLine, LOG_START, type LogPosition } from './log-line.ts'
import { type Entry, LOG_FORMAT } from '../../../engine/model/workspace-event.ts'
import type { ContentHash } from '../../../kernel/content-hash.ts'
import type { Diagnostic } from '../../../kernel/diagnostic.ts'
import { isObject, type JsonValue } from '../../../kernel/json-value.ts'
import { WorkspaceError } from '../../../kernel/workspace-error.ts'
import { logFormatTooNew } from '../../../workspace/log/log-location.ts'
import { readEntry } from '../../../workspace/log/stored-entry.ts'

/** What stands in a log between two positions. */
export interface LogScan {
  readonly entries: readonly Entry[]
  readonly definitions: ReadonlyMap<ContentHash, JsonValue>
  /** The end of the last whole append. */
  readonly end: LogPosition
  /** Bytes after it: an append that is being written, or that a crash cut short. */
  readonly unfinished: number
}

const NEWLINE = 0x0a

/** Bytes of the first line that tell what a file is. */
const START_BYTES = 64

/**
 * Read the bytes of a log from a position on: whole appends, and nothing of an unfinished one.
 *
 * Throws `LOG_DAMAGED` for whatever cannot be explained by an append that was cut short, and
 * `LOG_FORMAT` for a file that is no log, or one of a later format.
 */
export function scanLog(bytes: Uint8Array, from: LogPosition, file?: string): LogScan {
  const entries: Entry[] = []
  const definitions = new Map<ContentHash, JsonValue>()
  let end = from
  let at = from
  // Lines of the append that is being read; they count once its last line is there.
  let batch: Content[] = []
  let awaited = 0
  if (from.offset === 0) checkStart(bytes, file)
  for (;;) {
    const start = at.offset - from.offset
    const newline = bytes.indexOf(NEWLINE, start)
    if (newline === -1) {
      const tail = bytes.subarray(start)
      // A line that is whole but for its last byte lost its newline to damage, not to a cut.
      if (tail.length > 0 && decodeLine(tail.subarray(0, -1), at.sum)) {
        throw damaged(end, at, 'its end is changed', file)
      }
      return { entries, definitions, end, unfinished: bytes.length - (end.offset - from.offset) }
    }
    const line = decodeLine(bytes.subarray(start, newline), at.sum)
    if (line === undefined) throw damaged(end, at, 'its checksum does not match', file)
    const content = contentOf(line.value, at, file)
    if (content === undefined || (batch.length > 0 && content.more !== awaited)) {
      throw damaged(end, at, 'it is not a line that can stand there', file)
    }
    at = positionAfter(at, content, newline + 1 - start, line.sum)
    batch.push(content)
    awaited = content.more - 1
    if (content.more > 0) continue
    for (const one of batch) {
      if (one.kind === 'entry') entries.push(one.entry)
      if (one.kind === 'definition') definitions.set(one.hash, one.value)
    }
    batch = []
    end = at
  }
}

type Content = { readonly more: number } & (
  | { readonly kind: 'header'; readonly session: string }
  | { readonly kind: 'definition'; readonly hash: ContentHash; readonly value: JsonValue }
  | { readonly kind: 'entry'; readonly entry: Entry }
)

/** What a line says, if it may stand at this position. */
function contentOf(value: unknown, at: LogPosition, file?: string): Content | undefined {
  if (!isObject(value)) return undefined
  const { more = 0, session, definition, entry } = value
  if (typeof more !== 'number' || !Number.isSafeInteger(more) || more < 0) return undefined
  if (at.session === null) {
    return typeof session === 'string' ? { kind: 'header', session, more } : undefined
  }
  if (isObject(definition)) {
    const { hash, value: defined } = definition
    if (typeof hash !== 'string' || defined === undefined) return undefined
    return { kind: 'definition', hash: hash as ContentHash, value: defined as JsonValue, more }
  }
  const place = { session: at.session, ...(file !== undefined && { file }) }
  const read = readEntry(entry, at.version, place)
  return read && { kind: 'entry', entry: read, more }
}

function positionAfter(at: LogPosition, content: Content, bytes: number, sum: string): LogPosition {
  const next = { ...at, offset: at.offset + bytes, lines: at.lines + 1, sum }
  switch (content.kind) {
    case 'header':
      return { ...next, session: content.session }
    case 'definition':
      return next
    case 'entry': {
      const { at: changedAt } = content.entry
      const openedAt = at.version === 0 ? changedAt : at.openedAt
      return { ...next, version: at.version + 1, openedAt, changedAt }
    }
  }
}

/** A file that is something else is never taken for a log that was cut short. */
function checkStart(bytes: Uint8Array, file?: string): void {
  const newline = bytes.indexOf(NEWLINE)
  const length = Math.min(newline === -1 ? bytes.length : newline, START_BYTES)
  const first = Buffer.from(bytes.subarray(0, length)).toString('latin1')
  if (!first.startsWith(LOG_START) && !(newline === -1 && LOG_START.startsWith(first))) {
    throw new WorkspaceError('LOG_FORMAT', `${displayName(file)} is not a Loadout log.`, {
      facts: { file },
      hint: `The first line of a log starts with ${LOG_START}. Check the name of the file.`,
    })
  }
  const format = /^\{"loadout":"log","format":(\d{1,9})[,}]/.exec(first)?.[1]
  if (format === undefined || Number(format) <= LOG_FORMAT) return
  throw logFormatTooNew({
    what: `${displayName(file)} is a log`,
    found: Number(format),
    latest: LOG_FORMAT,
    facts: { file },
  })
}

function damaged(end: LogPosition, at: LogPosition, reason: string, file?: string): WorkspaceError {
  const line = at.lines + 1
  const lastGoodSeq = end.version - 1
  const kept =
    end.lines === 0
      ? 'Nothing before it is whole.'
      : `Entries up to ${lastGoodSeq} are whole: the first ${end.lines} lines, as a file of their own, are a log.`
  return new WorkspaceError(
    'LOG_DAMAGED',
    `Line ${line} of ${displayName(file)} is damaged: ${reason}.`,
    {
      facts: { file, line, lastGoodSeq, goodLines: end.lines, reason },
      hint: kept,
    },
  )
}

function displayName(file: string | undefined): string {
  return file ?? 'the log'
}

/** The finding about bytes after the last whole append: they were never acknowledged. */
export function unfinishedNotice(end: LogPosition, bytes: number, file?: string): Diagnostic {
  return {
    code: 'log-unfinished-append',
    severity: 'warning',
    message: `The last ${bytes} bytes are no whole append; they are not read.`,
    hint: 'Either it is being written at this moment, or a crash cut it short; nobody was told it was done.',
    line: end.lines + 1,
    ...(file !== undefined && { file }),
  }
}
