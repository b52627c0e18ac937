import { WorkspaceError } from '../../../kernel/workspace-error.ts'
import type { LogDamage } from '../../../workspace/log/log-damage.ts'
import { LOG_BEGINNING } from './log-position.ts'
import { type LogScan, scanLog } from './scan-log.ts'

/** What of a log is what was written, from its beginning. */
export interface WholePart extends Omit<LogScan, 'unfinished'> {
  /** Null when that is all of it, but for an append that is not finished. */
  readonly damage: LogDamage | null
}

const NEWLINE = 0x0a

/**
 * Read the bytes of a log as far as they are whole, where `scanLog` throws `LOG_DAMAGED`. Throws
 * `LOG_FORMAT` and `LOG_UNKNOWN_EVENT` as it does: another version's log is not damaged.
 */
export function wholePart(bytes: Uint8Array, file?: string): WholePart {
  try {
    return { ...scanLog(bytes, LOG_BEGINNING, file), damage: null }
  } catch (error) {
    if (!WorkspaceError.is(error) || error.code !== 'LOG_DAMAGED') throw error
    const { goodLines, line, reason } = error.facts
    const good = bytes.subarray(0, afterLines(bytes, Number(goodLines)))
    const scan = scanLog(good, LOG_BEGINNING, file)
    const damage: LogDamage = {
      session: scan.end.session,
      lastGoodSeq: scan.end.version - 1,
      reason: `line ${Number(line)}: ${String(reason)}`,
      line: Number(line),
      lost: { count: linesIn(bytes.subarray(good.length)), unit: 'line' },
    }
    return { ...scan, damage }
  }
}

function afterLines(bytes: Uint8Array, lines: number): number {
  let offset = 0
  for (let line = 0; line < lines; line += 1) offset = bytes.indexOf(NEWLINE, offset) + 1
  return offset
}

/** The last one need not have its newline. */
function linesIn(bytes: Uint8Array): number {
  let lines = 0
  for (let at = 0; at < bytes.length; lines += 1) {
    const newline = bytes.indexOf(NEWLINE, at)
    at = newline === -1 ? bytes.length : newline + 1
  }
  return lines
}
