import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { WorkspaceError } from '../../../entries/index.ts'
import { checkedText, checkOptions, type OptionsOf } from '../../../entries/kit.ts'
import { backUpFile } from '../back-up-file.ts'
import { LOG_BEGINNING } from './log-line.ts'
import { readLogFile } from './open-log-file.ts'
import { scanLog } from './scan-log.ts'
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
 * changed, even when its last append is incomplete: no reader uses that part.
 *
 * Throws `LOG_EMPTY` when there is no file, and the errors of reading and copying a log.
 */
export async function repairJsonlLog(
  name: string,
  options: JsonlRepairOptions = {},
): Promise<LogRepair> {
  checkOptions(options, OPTIONS)
  const { dryRun = false } = options
  const file = resolve(checkedText(name, 'name'))
  const bytes = await readLogFile(file)
  if (bytes === null) {
    throw new WorkspaceError('LOG_EMPTY', `There is no log at ${file}.`, {
      facts: { file },
      hint: 'Check the name of the file.',
    })
  }
  const found = findDamage(bytes, file)
  const copy = found === null || dryRun ? null : backUpFile(file)
  if (found !== null && copy !== null) await truncateFile(file, found.offset)
  return { file, damages: found === null ? [] : [found.damage], definitions: 0, copy }
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

const NEWLINE = 0x0a

/**
 * Returns the damage of a log, and the number of bytes before it; null when all of the log is valid, apart from an
 * incomplete append at its end. Throws `LOG_FORMAT` and `LOG_UNKNOWN_EVENT` as `scanLog` does: a log of another version
 * is not damaged.
 */
function findDamage(
  bytes: Uint8Array,
  file: string,
): { readonly damage: LogDamage; readonly offset: number } | null {
  try {
    scanLog(bytes, LOG_BEGINNING, file)
    return null
  } catch (error) {
    if (!WorkspaceError.is(error) || error.code !== 'LOG_DAMAGED') throw error
    const { goodLines, line, reason } = error.facts
    let offset = 0
    for (let lines = 0; lines < Number(goodLines); lines += 1) {
      offset = bytes.indexOf(NEWLINE, offset) + 1
    }
    const { end } = scanLog(bytes.subarray(0, offset), LOG_BEGINNING, file)
    const damage: LogDamage = {
      session: end.session,
      lastGoodSeq: end.version - 1,
      reason: `line ${Number(line)}: ${String(reason)}`,
      line: Number(line),
      lost: { count: countLines(bytes.subarray(offset)), unit: 'line' },
    }
    return { damage, offset }
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
