import { copyFile, constants, open } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { LogRepair } from '../../../workspace/log/log-repair.ts'
import { errorCode } from './error-code.ts'
import { whileLocked } from './while-locked.ts'
import { wholeFile } from './whole-file.ts'
import type { WholePart } from './whole-part.ts'

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
  const found = await wholeFile(file)
  if (dryRun || found.damage === null) return reportOf(file, found, null)
  return whileLocked(file, lockWaitMs, async () => {
    const part = await wholeFile(file)
    if (part.damage === null) return reportOf(file, part, null)
    const copy = await copyBeside(file)
    await cut(file, part.end.offset)
    return reportOf(file, part, copy)
  })
}

function reportOf(file: string, { damage }: WholePart, copy: string | null): LogRepair {
  return { file, damages: damage === null ? [] : [damage], definitions: 0, copy }
}

/** Forced to the disk before anything is cut. */
async function copyBeside(file: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const copy = `${file}.damaged-${number}`
    try {
      await copyFile(file, copy, constants.COPYFILE_EXCL)
    } catch (error) {
      if (errorCode(error) === 'EEXIST') continue
      throw error
    }
    await forced(copy)
    return copy
  }
}

async function forced(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function cut(file: string, size: number): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.truncate(size)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
