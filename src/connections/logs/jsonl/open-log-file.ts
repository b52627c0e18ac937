import { constants } from 'node:fs'
import { type FileHandle, open, readFile } from 'node:fs/promises'
import { createMemoryLog, type EventLog, WorkspaceError } from '../../../entries/index.ts'
import { errorCode } from '../../../entries/kit.ts'
import { LOG_BEGINNING } from './log-line.ts'
import { scanLog } from './scan-log.ts'

/**
 * Opens a log for reading; returns null when there is no file. Refuses a FIFO or a device without
 * waiting for it.
 */
export async function openLogFile(file: string): Promise<FileHandle | null> {
  let handle: FileHandle
  try {
    handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw unreadable(file, error)
  }
  if ((await handle.stat()).isFile()) return handle
  await handle.close()
  throw new WorkspaceError('LOG_UNREADABLE', `${file} is not a regular file.`, {
    facts: { file },
    hint: 'Give a regular file: a log cannot be a folder, a pipe or a device.',
  })
}

/** Reads the bytes of a log; returns null when there is no file. */
export async function readLogFile(file: string): Promise<Uint8Array | null> {
  const handle = await openLogFile(file)
  if (handle === null) return null
  try {
    return await readFile(handle)
  } catch (error) {
    throw unreadable(file, error)
  } finally {
    await handle.close()
  }
}

/**
 * Reads the session of a file into a log in memory, without what an interrupted append left at its end; returns null
 * when there is no file. Nobody writes to the file, so the log cannot be followed. Throws the errors of `scanLog`.
 */
export async function readJsonlLog(file: string): Promise<EventLog | null> {
  const bytes = await readLogFile(file)
  if (bytes === null) return null
  const { entries, definitions, end } = scanLog(bytes, LOG_BEGINNING, file)
  const { follow: _, ...log } = createMemoryLog()
  for (const [hash, definition] of definitions) await log.definitions.put(hash, definition)
  if (end.session !== null) await log.append(end.session, 0, entries)
  return log
}

const HINTS: Readonly<Record<string, string>> = {
  EACCES: 'Check the permissions of the file and its folder.',
  EPERM: 'Check the permissions of the file and its folder.',
}

function unreadable(file: string, cause: unknown): WorkspaceError {
  const reason = errorCode(cause)
  if (reason === undefined) throw cause
  return new WorkspaceError('LOG_UNREADABLE', `${file} cannot be read: ${reason}.`, {
    facts: { file, reason },
    hint: HINTS[reason] ?? 'Check the file and the disk.',
    cause,
  })
}
