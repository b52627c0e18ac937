import { createHash } from 'node:crypto'
import type { storedEntry } from '../../../entries/log.ts'
import { escapeHidden } from '../../../entries/definitions.ts'
import type { ContentHash, JsonValue } from '../../../entries/index.ts'
import { LOG_FORMAT } from '../../../engine/model/workspace-event.ts'

/** The first characters of every JSON Lines log, whatever its format number. */
export const LOG_START = '{"loadout":"log"'

/** One line of a JSON Lines log. The header is the first line and appears only there. */
export type LogLine =
  | { readonly loadout: 'log'; readonly format: typeof LOG_FORMAT; readonly session: string }
  | { readonly definition: { readonly hash: ContentHash; readonly value: JsonValue } }
  | { readonly entry: ReturnType<typeof storedEntry> }

/** The checksum before the first line. */
export const FIRST_SUM = ''

/** Length of `,"sum":"0123456789abcdef"}`, which ends every line. */
const SUM_BYTES = 26

export function headerLine(session: string): LogLine {
  return { loadout: 'log', format: LOG_FORMAT, session }
}

/**
 * Encodes the lines of one append, and returns the checksum of the last one, from which the next append continues.
 *
 * A line is a JSON object, without a character that controls a terminal. `more` counts the lines of the same append that follow it, so that an
 * incomplete append is recognised. `sum` covers the line and all lines before it, so that a line
 * that was changed, lost, doubled or moved is recognised.
 */
export function encodeLines(lines: readonly LogLine[], previousSum: string) {
  let sum = previousSum
  const texts = lines.map((line, index) => {
    const more = lines.length - 1 - index
    const body = escapeHidden(JSON.stringify(more === 0 ? line : { ...line, more }))
    sum = sumOf(sum, Buffer.from(body))
    return `${body.slice(0, -1)}${endOfLine(sum)}\n`
  })
  return { bytes: Buffer.from(texts.join('')), sum }
}

/**
 * Decodes one line, without its newline, and returns its checksum, from which the next line continues. Returns undefined
 * when its checksum does not match.
 */
export function decodeLine(line: Uint8Array, previousSum: string) {
  const body = Buffer.concat([line.subarray(0, -SUM_BYTES), Buffer.from('}')])
  const sum = sumOf(previousSum, body)
  const end = Buffer.from(line.subarray(-SUM_BYTES)).toString('latin1')
  if (end !== endOfLine(sum)) return undefined
  try {
    return { value: JSON.parse(body.toString('utf8')) as unknown, sum }
  } catch {
    return undefined
  }
}

function endOfLine(sum: string): string {
  return `,"sum":"${sum}"}`
}

function sumOf(previousSum: string, body: Uint8Array): string {
  return createHash('sha256').update(previousSum).update(body).digest('hex').slice(0, 16)
}

/** A position between two appends of a log, with the totals up to there. */
export interface LogPosition {
  /** Bytes before it. */
  readonly offset: number
  /** Lines before it. */
  readonly lines: number
  /** Checksum of the line before it. */
  readonly sum: string
  /** The session; null before the header. */
  readonly session: string | null
  /** Entries before it. */
  readonly version: number
}

export const LOG_BEGINNING: LogPosition = {
  offset: 0,
  lines: 0,
  sum: FIRST_SUM,
  session: null,
  version: 0,
}
