import { constants, copyFile, open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { errorCode, readLogFile } from './log-file.ts'
import { LOG_BEGINNING } from './log-line.ts'
import { type LogScan, scanLog } from './scan-log.ts'
import { withLogLock } from './with-log-lock.ts'
import { WorkspaceError } from '../../../kernel/workspace-error.ts'
import type { LogDamage, LogRepair } from '../../../workspace/log/log-damage.ts'

export interface JsonlRepairOptions {
  /** Say what would be done, and do nothing. */
  readonly dryRun?: boolean
  /** How long another process is waited for, in milliseconds; 5,000 by default. */
  readonly lockWaitMs?: number
}

/**
 * Cut a damaged log file after its last whole append, once a copy of all of it stands beside it, as
 * `<file>.damaged-1` or the next number that is free. A file that is whole is left alone, also when
 * its last append is not finished: the next append sees to that.
 *
 * Throws `LOG_EMPTY` when there is no file, and what reading and writing a log throw.
 */
export async function repairJsonlLog(
  name: string,
  { dryRun = false, lockWaitMs = 5000 }: JsonlRepairOptions = {},
): Promise<LogRepair> {
  const file = resolve(name)
  const found = await readValidPrefix(file)
  if (dryRun || found.damage === null) return reportOf(file, found, null)
  return withLogLock(file, lockWaitMs, async () => {
    const part = await readValidPrefix(file)
    if (part.damage === null) return reportOf(file, part, null)
    const copy = await backUpLogFile(file)
    await truncateFile(file, part.end.offset)
    return reportOf(file, part, copy)
  })
}

function reportOf(file: string, { damage }: ValidPrefix, copy: string | null): LogRepair {
  return { file, damages: damage === null ? [] : [damage], definitions: 0, copy }
}

/** Forced to the disk before anything is cut. */
async function backUpLogFile(file: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const copy = `${file}.damaged-${number}`
    try {
      await copyFile(file, copy, constants.COPYFILE_EXCL)
    } catch (error) {
      if (errorCode(error) === 'EEXIST') continue
      throw error
    }
    await syncFile(copy)
    return copy
  }
}

async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
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

/** What of a log file is what was written. Throws `LOG_EMPTY` when there is no file. */
export async function readValidPrefix(file: string): Promise<ValidPrefix> {
  const read = await readLogFile(file, () => 0)
  if (read !== null) return validPrefix(read.bytes, file)
  throw new WorkspaceError('LOG_EMPTY', `There is no log at ${file}.`, {
    facts: { file },
    hint: 'Check the name of the file.',
  })
}

/** What of a log is what was written, from its beginning. */
interface ValidPrefix extends Omit<LogScan, 'unfinished'> {
  /** Null when that is all of it, but for an append that is not finished. */
  readonly damage: LogDamage | null
}

const NEWLINE = 0x0a

/**
 * Read the bytes of a log as far as they are whole, where `scanLog` throws `LOG_DAMAGED`. Throws
 * `LOG_FORMAT` and `LOG_UNKNOWN_EVENT` as it does: another version's log is not damaged.
 */
function validPrefix(bytes: Uint8Array, file?: string): ValidPrefix {
  try {
    return { ...scanLog(bytes, LOG_BEGINNING, file), damage: null }
  } catch (error) {
    if (!WorkspaceError.is(error) || error.code !== 'LOG_DAMAGED') throw error
    const { goodLines, line, reason } = error.facts
    const good = bytes.subarray(0, offsetAfterLines(bytes, Number(goodLines)))
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

function offsetAfterLines(bytes: Uint8Array, lines: number): number {
  let offset = 0
  for (let line = 0; line < lines; line += 1) offset = bytes.indexOf(NEWLINE, offset) + 1
  return offset
}

/** The last one need not have its newline. */
function countLines(bytes: Uint8Array): number {
  let lines = 0
  for (let at = 0; at < bytes.length; lines += 1) {
    const newline = bytes.indexOf(NEWLINE, at)
    at = newline === -1 ? bytes.length : newline + 1
  }
  return lines
}
