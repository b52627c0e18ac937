import { ToolError } from 'loadout'

/** A field: null where nothing stands between two delimiters, '' where `""` does. */
export type CsvField = string | null

/** One record with the line of the text it starts on; a quoted field may hold further lines. */
export interface CsvRecord {
  readonly line: number
  readonly fields: readonly CsvField[]
}

/**
 * Read records as RFC 4180 has them: fields in quotes may hold delimiters, line ends and, written
 * twice, quotes. Lines end in CRLF, LF or CR; empty ones are passed over. Beyond the standard, a
 * quote inside an unquoted field stands for itself (`19" rack`). A quote that is never closed, or
 * text after a closing one, is an error that names the line.
 */
export function* readCsv(text: string, delimiter: string): Generator<CsvRecord> {
  let line = 1
  let start = 1
  let fields: CsvField[] = []
  let at = 0
  while (at < text.length) {
    const quoted = text[at] === '"'
    const end = quoted ? closingQuote(text, at, line) : plainEnd(text, at, delimiter)
    const raw = text.slice(quoted ? at + 1 : at, end)
    fields.push(quoted ? raw.replaceAll('""', '"') : raw === '' ? null : raw)
    if (quoted) line += countLines(raw)
    at = quoted ? end + 1 : end

    const next = text[at]
    if (next === delimiter) {
      at += 1
      if (at === text.length) fields.push(null)
      else continue
    } else if (next === '\r' || next === '\n') {
      at += next === '\r' && text[at + 1] === '\n' ? 2 : 1
      line += 1
    } else if (next !== undefined) {
      throw broken(line, 'has text after a closing quote')
    }
    if (fields.length > 1 || fields[0] !== null) yield { line: start, fields }
    fields = []
    start = line
  }
}

/** Where the quote that opens at `at` closes. */
function closingQuote(text: string, at: number, line: number): number {
  let end = text.indexOf('"', at + 1)
  while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2)
  if (end < 0) throw broken(line, 'opens a quote that is never closed')
  return end
}

function plainEnd(text: string, at: number, delimiter: string): number {
  let end = at
  while (end < text.length && !isEnd(text[end], delimiter)) end += 1
  return end
}

function isEnd(character: string | undefined, delimiter: string): boolean {
  return character === delimiter || character === '\n' || character === '\r'
}

function countLines(text: string): number {
  return text.split(/\r\n|\n|\r/).length - 1
}

function broken(line: number, what: string): ToolError {
  return new ToolError('VALIDATION', `The CSV cannot be read: line ${line} ${what}.`, {
    details: { line },
  })
}
