import { readEntry } from '../../../entries/log.ts'
import {
  type ContentHash,
  type Diagnostic,
  type Entry,
  type JsonValue,
  WorkspaceError,
} from '../../../entries/index.ts'
import { isObject } from '../../../entries/kit.ts'
import { decodeLine, LOG_START, type LogPosition } from './log-line.ts'
import { LOG_FORMAT } from '../../../engine/model/workspace-event.ts'
import { logFormatTooNew } from '../log-location.ts'

/** The part of a log between two positions. */
export interface LogScan {
  readonly entries: readonly Entry[]
  readonly definitions: ReadonlyMap<ContentHash, JsonValue>
  /** The end of the last complete append. */
  readonly end: LogPosition
  /** Number of bytes after it: an append that is being written, or that a crash interrupted. */
  readonly unfinished: number
}

const NEWLINE = 0x0a

/** Number of bytes of the first line that identify a file. */
const START_BYTES = 64

/**
 * Scans the bytes of a log from a position on. An incomplete append at the end is not read.
 *
 * Throws `LOG_DAMAGED` for anything that an interrupted append does not explain, and `LOG_FORMAT`
 * for a file that is not a log, or has a later format.
 */
export function scanLog(bytes: Uint8Array, from: LogPosition, file?: string): LogScan {
  const entries: Entry[] = []
  const definitions = new Map<ContentHash, JsonValue>()
  let end = from
  let at = from
  // Lines of the append that is being read. They count once its last line is there.
  let batch: Content[] = []
  let awaited = 0
  if (from.offset === 0) checkStart(bytes, file)
  for (;;) {
    const start = at.offset - from.offset
    const newline = bytes.indexOf(NEWLINE, start)
    if (newline === -1) {
      const tail = bytes.subarray(start)
      // A line that lacks only its last byte lost its newline to damage; an interrupted write would
      // end elsewhere.
      if (tail.length > 0 && decodeLine(tail.subarray(0, -1), at.sum)) {
        throw damaged(end, at, 'its end was changed', file)
      }
      return { entries, definitions, end, unfinished: bytes.length - (end.offset - from.offset) }
    }
    const line = decodeLine(bytes.subarray(start, newline), at.sum)
    if (line === undefined) throw damaged(end, at, 'its checksum does not match', file)
    const content = contentOf(line.value, at, file)
    if (content === undefined || (batch.length > 0 && content.more !== awaited)) {
      throw damaged(end, at, 'it is not a line that can be there', file)
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

/** Returns the content of a line, or undefined if such a line cannot be at this position. */
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
    case 'entry':
      return { ...next, version: at.version + 1 }
  }
}

/** Throws for a file that is not a log, so that it is not mistaken for an incomplete one. */
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
      ? 'No append before it is complete.'
      : `Entries up to ${lastGoodSeq} are valid: the first ${end.lines} lines alone are a log.`
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

/** The notice about bytes after the last complete append. They were never acknowledged. */
export function unfinishedNotice(end: LogPosition, bytes: number, file?: string): Diagnostic {
  return {
    code: 'log-unfinished-append',
    severity: 'warning',
    message: `The last ${bytes} bytes are an incomplete append and are not read.`,
    hint: 'It is being written right now, or a crash interrupted it; it was never acknowledged.',
    line: end.lines + 1,
    ...(file !== undefined && { file }),
  }
}
