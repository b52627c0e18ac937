import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { WorkspaceError } from '../../../entries/index.ts'
import { checkedText, checkOptions, type OptionsOf } from '../../../entries/kit.ts'
import { backUpFile } from '../back-up-file.ts'
import { lockLog } from './lock-log.ts'
import { readLogFile } from './log-file.ts'
import { LOG_BEGINNING } from './log-line.ts'
import { type LogScan, scanLog } from './scan-log.ts'
import type { LogDamage, LogRepair } from '../log-damage.ts'

export interface JsonlRepairOptions {
  /** Report the damage and change nothing. */
  readonly dryRun?: boolean
}

const OPTIONS: OptionsOf<JsonlRepairOptions> = { dryRun: 'switch' }

/**
 * Cuts a damaged log file after its last complete append.
 *
 * Copies the file first, to `<file>.damaged-1` or the next free number. An undamaged file is not
 * changed, even when its last append is incomplete: the next append removes that.
 *
 * Throws `LOG_EMPTY` when there is no file, `LOG_LOCKED` when the log has a writer, and the errors of
 * reading and writing a log.
 */
export async function repairJsonlLog(
  name: string,
  options: JsonlRepairOptions = {},
): Promise<LogRepair> {
  checkOptions(options, OPTIONS)
  const { dryRun = false } = options
  const file = resolve(checkedText(name, 'name'))
  const found = await readValidPrefix(file)
  if (dryRun || found.damage === null) return reportOf(file, found, null)
  const lock = await lockLog(file)
  try {
    const part = await readValidPrefix(file)
    if (part.damage === null) return reportOf(file, part, null)
    const copy = backUpFile(file)
    await truncateFile(file, part.end.offset)
    return reportOf(file, part, copy)
  } finally {
    await lock.release()
  }
}

function reportOf(file: string, { damage }: ValidPrefix, copy: string | null): LogRepair {
  return { file, damages: damage === null ? [] : [damage], definitions: 0, copy }
}

async function truncateFile(file: string, size: number): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.truncate(size)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Reads the valid beginning of a log file. Throws `LOG_EMPTY` when there is no file. */
export async function readValidPrefix(file: string): Promise<ValidPrefix> {
  const read = await readLogFile(file, () => 0)
  if (read !== null) return validPrefix(read.bytes, file)
  throw new WorkspaceError('LOG_EMPTY', `There is no log at ${file}.`, {
    facts: { file },
    hint: 'Check the name of the file.',
  })
}

/** The valid beginning of a log. */
interface ValidPrefix extends Omit<LogScan, 'unfinished'> {
  /** Null when all of the log is valid, apart from an incomplete append at its end. */
  readonly damage: LogDamage | null
}

const NEWLINE = 0x0a

/**
 * Reads the valid beginning of a log where `scanLog` throws `LOG_DAMAGED`. Throws `LOG_FORMAT` and
 * `LOG_UNKNOWN_EVENT` as `scanLog` does: a log of another version is not damaged.
 */
function validPrefix(bytes: Uint8Array, file?: string): ValidPrefix {
  try {
    return { ...scanLog(bytes, LOG_BEGINNING, file), damage: null }
  } catch (error) {
    if (!WorkspaceError.is(error) || error.code !== 'LOG_DAMAGED') throw error
    const { goodLines, line, reason } = error.facts
    let offset = 0
    for (let lines = 0; lines < Number(goodLines); lines += 1) {
      offset = bytes.indexOf(NEWLINE, offset) + 1
    }
    const good = bytes.subarray(0, offset)
    const scan = scanLog(good, LOG_BEGINNING, file)
    const damage: LogDamage = {
      session: scan.end.session,
      lastGoodSeq: scan.end.version - 1,
      reason: `line ${Number(line)}: ${String(reason)}`,
      line: Number(line),
      lost: { count: countLines(bytes.subarray(good.length)), unit: 'line' },
    }
    return { ...scan, damage }
  }
}

/** Counts lines; the last one may lack its newline. */
function countLines(bytes: Uint8Array): number {
  let lines = 0
  for (let at = 0; at < bytes.length; lines += 1) {
    const newline = bytes.indexOf(NEWLINE, at)
    at = newline === -1 ? bytes.length : newline + 1
  }
  return lines
}
