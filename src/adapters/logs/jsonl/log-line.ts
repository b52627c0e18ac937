import { createHash } from 'node:crypto'
import { LOG_FORMAT } from '../../../engine/model/workspace-event.ts'
import type { ContentHash } from '../../../kernel/content-hash.ts'
import type { JsonValue } from '../../../kernel/json-value.ts'
import type { StoredEntry } from '../../../workspace/log/stored-entry.ts'

/** How every JSON Lines log starts, whatever its format number. */
export const LOG_START = '{"loadout":"log"'

/** What one line of a JSON Lines log says. The header is the first line, and only that. */
export type LogLine =
  | { readonly loadout: 'log'; readonly format: typeof LOG_FORMAT; readonly session: string }
  | { readonly definition: { readonly hash: ContentHash; readonly value: JsonValue } }
  | { readonly entry: StoredEntry }

/** The checksum before the first line. */
export const FIRST_SUM = ''

/** Bytes of `,"sum":"0123456789abcdef"}`, with which every line ends. */
const SUM_BYTES = 26

/** The same with the newline. */
export const LINE_END_BYTES = SUM_BYTES + 1

export function headerLine(session: string): LogLine {
  return { loadout: 'log', format: LOG_FORMAT, session }
}

/** Lines as bytes, and the checksum of the last, which the next append continues. */
interface EncodedLines {
  readonly bytes: Uint8Array
  readonly sum: string
}

/**
 * Write the lines of one append.
 *
 * A line is a JSON object. `more` counts the lines of the same append that follow it, so that
 * an append cut short is told from a whole one; `sum` covers the line and all lines before it,
 * so that a line changed, lost, doubled or moved is noticed.
 */
export function encodeLines(lines: readonly LogLine[], previousSum: string): EncodedLines {
  let sum = previousSum
  const texts = lines.map((line, index) => {
    const more = lines.length - 1 - index
    const body = JSON.stringify(more === 0 ? line : { ...line, more })
    sum = sumOf(sum, Buffer.from(body))
    return `${body.slice(0, -1)}${endOfLine(sum)}\n`
  })
  return { bytes: Buffer.from(texts.join('')), sum }
}

/** A line that is what was written: its JSON, and its checksum for the next one. */
interface DecodedLine {
  readonly value: unknown
  readonly sum: string
}

/** Read one line, without its newline; undefined when its checksum does not match. */
export function decodeLine(line: Uint8Array, previousSum: string): DecodedLine | undefined {
  const body = Buffer.concat([line.subarray(0, -SUM_BYTES), Buffer.from('}')])
  const sum = sumOf(previousSum, body)
  if (latin1(line.subarray(-SUM_BYTES)) !== endOfLine(sum)) return undefined
  try {
    return { value: JSON.parse(body.toString('utf8')) as unknown, sum }
  } catch {
    return undefined
  }
}

/** Whether these are the last bytes of the line with this checksum, which covers all lines before it. */
export function isEndOfLine(bytes: Uint8Array, sum: string): boolean {
  return latin1(bytes) === `${endOfLine(sum)}\n`
}

function endOfLine(sum: string): string {
  return `,"sum":"${sum}"}`
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1')
}

function sumOf(previousSum: string, body: Uint8Array): string {
  return createHash('sha256').update(previousSum).update(body).digest('hex').slice(0, 16)
}

/** A place between two appends of a log, and what the log holds up to there. */
export interface LogPosition {
  /** Bytes before it. */
  readonly offset: number
  /** Lines before it. */
  readonly lines: number
  /** Checksum of the line before it. */
  readonly sum: string
  /** Null before the header. */
  readonly session: string | null
  /** Entries before it. */
  readonly version: number
  /** Wall clock of the first and last entry before it, milliseconds since 1970. */
  readonly openedAt: number
  readonly changedAt: number
}

export const LOG_BEGINNING: LogPosition = {
  offset: 0,
  lines: 0,
  sum: FIRST_SUM,
  session: null,
  version: 0,
  openedAt: 0,
  changedAt: 0,
}
