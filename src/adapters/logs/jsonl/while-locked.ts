import { readlink, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { WorkspaceError } from '../../../kernel/workspace-error.ts'
import { errorCode } from './error-code.ts'
import { withFileLock } from './file-lock.ts'
import { writeFailed } from './log-file.ts'

/**
 * Change a log file while no other process does, whatever name it comes by. The work gets the file's
 * name without links in it: what belongs to a log stands beside that. Throws `LOG_LOCKED`, and what
 * the system says as `LOG_WRITE_FAILED`.
 */
export async function whileLocked<T>(
  file: string,
  waitMs: number,
  work: (real: string) => Promise<T>,
): Promise<T> {
  try {
    const real = await realName(file)
    return await withFileLock(real, waitMs, () => work(real))
  } catch (error) {
    if (WorkspaceError.is(error)) throw error
    throw writeFailed(file, error)
  }
}

/** A link may lead to a file that is not there yet. */
async function realName(file: string): Promise<string> {
  try {
    return await realpath(file)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
  const folder = await realpath(dirname(file))
  const target = await readlink(file).catch(() => null)
  return target === null ? join(folder, basename(file)) : realName(resolve(folder, target))
}
