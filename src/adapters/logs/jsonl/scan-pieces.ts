import { LOG_BEGINNING } from './log-position.ts'
import { type LogScan, scanLog } from './scan-log.ts'

/** JSON Lines: a text, or its pieces one after another, such as a file that is read. */
export type LogText = string | AsyncIterable<string | Uint8Array>

/**
 * Read the text of a log from its beginning, some whole appends at a time; the last says what is left
 * over. Line ends may have become CRLF on the way. Throws as `scanLog` does.
 */
export async function* scanPieces(source: LogText): AsyncGenerator<LogScan> {
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
