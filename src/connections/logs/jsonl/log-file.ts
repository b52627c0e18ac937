import { constants, type Stats } from 'node:fs'
import { appendFile, type FileHandle, open, truncate } from 'node:fs/promises'
import { dirname } from 'node:path'
import { entryHash } from '../../../entries/adapter.ts'
import { type ContentHash, type Entry, WorkspaceError } from '../../../entries/index.ts'
import { errorCode } from '../../../entries/kit.ts'
import type { KnownDefinitions } from './known-definitions.ts'
import { isEndOfLine, LINE_END_BYTES, LOG_BEGINNING, type LogPosition } from './log-line.ts'
import { type LogScan, scanLog } from './scan-log.ts'
import type { Durability } from '../durability.ts'

/**
 * A log file as this process last read it, so that a refresh reads only what is new.
 *
 * Another process may have appended to the file, cut it, deleted it or replaced it.
 */
export class LogFile {
  readonly #file: string
  readonly #definitions: KnownDefinitions
  #end = LOG_BEGINNING
  #lastHash: ContentHash | undefined
  #identity: string | null = null
  #unfinished: Uint8Array = new Uint8Array()

  constructor(file: string, definitions: KnownDefinitions) {
    this.#file = file
    this.#definitions = definitions
  }

  /** The end of the last complete append. */
  get end(): LogPosition {
    return this.#end
  }

  /** Hash of the last entry before `end`. */
  get lastHash(): ContentHash | undefined {
    return this.#lastHash
  }

  /** Bytes after `end`: an append that is being written, or that a crash interrupted. */
  get unfinished(): Uint8Array {
    return this.#unfinished
  }

  /**
   * Reads the file from a position on; from its beginning when it is another file now. Returns the entries that it read,
   * and the number of the first one, or of the next one when there are none.
   */
  async refresh(
    from: LogPosition,
  ): Promise<{ readonly entries: readonly Entry[]; readonly first: number }> {
    let start = from
    const read = await readLogFile(this.#file, (identity, size) => {
      if (identity !== this.#identity || size < this.#end.offset) start = LOG_BEGINNING
      if (start === LOG_BEGINNING) this.forget()
      this.#identity = identity
      return start.offset - overlapAt(start)
    })
    if (read === null) {
      this.forget()
      return { entries: [], first: 0 }
    }
    const bytes = read.bytes.subarray(overlapAt(start))
    const scan = this.#scan(read.bytes, start)
    if (scan === null) return this.refresh(LOG_BEGINNING)
    const { entries, definitions, end, unfinished } = scan
    this.#definitions.noteRead(definitions)
    this.#advance(entries, end)
    this.#unfinished = bytes.subarray(bytes.length - unfinished)
    return { entries, first: start.version }
  }

  /** Notes an append of this process: its entries, the new end of the file, and the identity of the file. */
  noteAppend(entries: readonly Entry[], end: LogPosition, identity: string): void {
    this.#identity = identity
    this.#advance(entries, end)
  }

  /** Notes that the incomplete append was moved out of the file. */
  noteUnfinishedMoved(): void {
    this.#unfinished = new Uint8Array()
  }

  /** Forgets everything about the file, because it was deleted or replaced. */
  forget(): void {
    this.#end = LOG_BEGINNING
    this.#lastHash = undefined
    this.#identity = null
    this.#unfinished = new Uint8Array()
    this.#definitions.forgetFile()
  }

  /**
   * Returns null when the file no longer has what this process read before that position: a writer
   * whose disk failed may have cut it off again, and another file may have been put in its place.
   */
  #scan(bytes: Uint8Array, start: LogPosition): LogScan | null {
    const overlap = overlapAt(start)
    if (overlap > 0 && !isEndOfLine(bytes.subarray(0, overlap), start.sum)) return null
    try {
      return scanLog(bytes.subarray(overlap), start, this.#file)
    } catch (error) {
      if (start === LOG_BEGINNING || !WorkspaceError.is(error)) throw error
      return null
    }
  }

  #advance(entries: readonly Entry[], end: LogPosition): void {
    const last = entries.at(-1)
    if (last !== undefined) this.#lastHash = entryHash(last)
    this.#end = end
  }
}

/**
 * Number of bytes before a position that are read again. They show whether it is still the same
 * log.
 */
function overlapAt({ offset }: LogPosition): number {
  return Math.min(offset, LINE_END_BYTES)
}

const HINTS: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full. Free some space.',
  EDQUOT: 'The quota is used up. Free some space.',
  EFBIG: 'The file has reached the size limit. Raise the limit, or start another log.',
  EROFS: 'The disk is read-only. Give a file on another disk.',
  EACCES: 'Check the permissions of the file and its folder.',
  EPERM: 'Check the permissions of the file and its folder.',
  ENOENT: 'Create its folder first.',
}

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
    throw systemFailure('LOG_UNREADABLE', `${file} cannot be read`, file, error)
  }
  if ((await handle.stat()).isFile()) return handle
  await handle.close()
  throw new WorkspaceError('LOG_UNREADABLE', `${file} is not a regular file.`, {
    facts: { file },
    hint: 'Give a regular file: a log cannot be a folder, a pipe or a device.',
  })
}

/**
 * Reads a log from an offset on; returns null when there is no file. Its name can be given to another file, so the bytes
 * come with the identity of the file.
 */
export async function readLogFile(
  file: string,
  offsetOf: (identity: string, size: number) => number,
): Promise<{ readonly bytes: Uint8Array; readonly identity: string } | null> {
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
    throw systemFailure('LOG_UNREADABLE', `${file} cannot be read`, file, error)
  } finally {
    await handle.close()
  }
}

/**
 * Appends to a file of `size` bytes, or leaves the file unchanged; returns the file's identity.
 *
 * It is one write; only a disk that accepts part of it causes a second one. When writing or syncing
 * fails, the bytes are cut off again. Where that fails, too, the next reader finds an incomplete
 * append, or a complete one, which the next append meets as a conflict.
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
    if (stats.size !== size) {
      throw new WorkspaceError('LOG_WRITE_FAILED', `${file} was changed while it was locked.`, {
        facts: { file, expected: size, found: stats.size },
        hint: 'Only Loadout may write to a log that is in use.',
      })
    }
    let written = 0
    while (written < bytes.length) written += (await handle.write(bytes, written)).bytesWritten
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

/** Identifies a file. Inode numbers are reused at once, so the time of birth is included. */
function identityOf({ dev, ino, birthtimeMs }: Stats): string {
  return `${dev}:${ino}:${birthtimeMs}`
}

/** Moves the bytes after `size` to the end of `<file>.torn`. */
export async function moveTornTail(file: string, size: number, bytes: Uint8Array): Promise<void> {
  try {
    await appendFile(`${file}.torn`, bytes, { flush: true })
    await truncate(file, size)
  } catch (error) {
    throw writeFailed(file, error)
  }
}

/** The error for a log that cannot be written, with the system's error code. */
export function writeFailed(file: string, error: unknown): WorkspaceError {
  return systemFailure('LOG_WRITE_FAILED', `${file} cannot be written`, file, error)
}

function systemFailure(code: string, what: string, file: string, cause: unknown): WorkspaceError {
  const reason = errorCode(cause)
  if (reason === undefined) throw cause
  return new WorkspaceError(code, `${what}: ${reason}.`, {
    facts: { file, reason },
    hint: HINTS[reason] ?? 'Check the file and the disk.',
    cause,
  })
}

/** Syncs a folder: without that, a new file may be missing after a crash. */
async function syncFolder(folder: string): Promise<void> {
  // Windows cannot sync a folder.
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
