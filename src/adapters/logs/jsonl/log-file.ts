import { constants, type Stats } from 'node:fs'
import { appendFile, open, truncate, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { WorkspaceError } from '../../../kernel/workspace-error.ts'
import type { Durability } from '../../../workspace/log/durability.ts'
import { errorCode } from './error-code.ts'

/** A stretch of a log file, and which file it was: a name can be given to another one. */
export interface LogBytes {
  readonly bytes: Uint8Array
  readonly identity: string
}

const HINTS: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full: free some space.',
  EDQUOT: 'The quota is used up: free some space.',
  EFBIG: 'The file is as large as it may get: raise the limit, or start another log.',
  EROFS: 'The disk is read-only: name a file elsewhere.',
  EACCES: 'Check the permissions of the file and its folder.',
  EPERM: 'Check the permissions of the file and its folder.',
  ENOENT: 'Make its folder first.',
}

/** Open a log to be read; null when there is no file. Waits for nothing: a FIFO or a device is refused. */
export async function openLogFile(file: string): Promise<FileHandle | null> {
  let handle: FileHandle
  try {
    handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw failed('LOG_UNREADABLE', `${file} cannot be read`, file, error)
  }
  if ((await handle.stat()).isFile()) return handle
  await handle.close()
  throw new WorkspaceError('LOG_UNREADABLE', `${file} is not a regular file.`, {
    facts: { file },
    hint: 'Name a file for the log; folders, pipes and devices cannot hold one.',
  })
}

/** Read a log from an offset on; null when there is no file. */
export async function readLogFile(
  file: string,
  offsetOf: (identity: string, size: number) => number,
): Promise<LogBytes | null> {
  const handle = await openLogFile(file)
  if (handle === null) return null
  try {
    const stats = await handle.stat()
    const identity = identityOf(stats)
    const offset = offsetOf(identity, stats.size)
    const bytes = Buffer.alloc(stats.size - offset)
    let filled = 0
    while (filled < bytes.length) {
      const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, offset + filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    return { bytes: bytes.subarray(0, filled), identity }
  } catch (error) {
    throw failed('LOG_UNREADABLE', `${file} cannot be read`, file, error)
  } finally {
    await handle.close()
  }
}

/**
 * Write an append at the end of a file of `size` bytes, or leave the file as it was; gives the
 * file's identity.
 *
 * One write: only a disk that takes part of it makes for a second. When writing or forcing to
 * disk fails, what was written is cut off again; where even that fails, the part that stays
 * is an unfinished append to the next reader, or a whole one, which the next append then meets
 * as a conflict.
 */
export async function writeLogFile(
  file: string,
  size: number,
  bytes: Uint8Array,
  durability: Durability,
): Promise<string> {
  let handle: FileHandle
  try {
    handle = await open(file, 'a')
  } catch (error) {
    throw writeFailed(file, error)
  }
  try {
    const stats = await handle.stat()
    if (stats.size !== size) throw notAlone(file, size, stats.size)
    await writeAll(handle, bytes)
    if (durability === 'full') {
      await handle.sync()
      if (size === 0) await syncFolder(dirname(file))
    }
    return identityOf(stats)
  } catch (error) {
    if (WorkspaceError.is(error)) throw error
    await handle.truncate(size).catch(() => {})
    throw writeFailed(file, error)
  } finally {
    await handle.close()
  }
}

async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  let written = 0
  while (written < bytes.length) {
    written += (await handle.write(bytes, written)).bytesWritten
  }
}

/** Inode numbers are used again at once, hence the time of birth. */
function identityOf({ dev, ino, birthtimeMs }: Stats): string {
  return `${dev}:${ino}:${birthtimeMs}`
}

function notAlone(file: string, expected: number, found: number): WorkspaceError {
  return new WorkspaceError('LOG_WRITE_FAILED', `${file} was changed while it was locked.`, {
    facts: { file, expected, found },
    hint: 'Only Loadout may write to a log that is in use.',
  })
}

/** Move what stands after `size` bytes to `<file>.torn`, behind what was set aside before. */
export async function setAside(file: string, size: number, bytes: Uint8Array): Promise<void> {
  try {
    await appendFile(`${file}.torn`, bytes, { flush: true })
    await truncate(file, size)
  } catch (error) {
    throw writeFailed(file, error)
  }
}

/** The error for a log that cannot be written, with what the system said. */
export function writeFailed(file: string, error: unknown): WorkspaceError {
  return failed('LOG_WRITE_FAILED', `${file} cannot be written`, file, error)
}

function failed(code: string, what: string, file: string, cause: unknown): WorkspaceError {
  const reason = errorCode(cause)
  if (reason === undefined) throw cause
  return new WorkspaceError(code, `${what}: ${reason}.`, {
    facts: { file, reason },
    hint: HINTS[reason] ?? 'Check the file and the disk.',
    cause,
  })
}

/** A new file is there after a crash only when its folder was forced to disk as well. */
async function syncFolder(folder: string): Promise<void> {
  // Windows has no way to do this for a folder.
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
