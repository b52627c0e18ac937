import { constants } from 'node:fs'
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises'
import type { Stats } from 'node:fs'
import { type FileFault, faultOf, linkOutside, notRegular } from './file-fault.ts'
import { isInside } from './is-inside.ts'

interface ReadInsideOptions {
  readonly maxBytes: number
  readonly followLinksOut: boolean
}

type ReadInsideOutcome =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly fault: FileFault }

/** Never waits for a writer of a FIFO or a device. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/**
 * Read a regular file whose real path lies inside a folder (given as its real path).
 *
 * The file is opened first and judged by what was opened, so a link swapped in between changes
 * nothing. Its size is looked at before anything is read.
 */
export async function readInside(
  folder: string,
  path: string,
  { maxBytes, followLinksOut }: ReadInsideOptions,
): Promise<ReadInsideOutcome> {
  let handle: FileHandle
  try {
    handle = await open(path, FLAGS)
  } catch (error) {
    return { ok: false, fault: faultOf(error) }
  }
  try {
    const stats = await handle.stat()
    if (!stats.isFile()) return { ok: false, fault: notRegular(kindOf(stats)) }
    if (!followLinksOut) {
      const real = await realPathOf(handle, path, stats)
      if (real === null || !isInside(folder, real)) {
        return { ok: false, fault: linkOutside('its folder') }
      }
    }
    if (stats.size > maxBytes) return { ok: false, fault: tooLarge(stats.size, maxBytes) }
    const bytes = await readWhole(handle, stats.size)
    return bytes === null ? { ok: false, fault: GREW } : { ok: true, bytes }
  } catch (error) {
    return { ok: false, fault: faultOf(error) }
  } finally {
    await handle.close()
  }
}

/**
 * The real path of an open file. Linux tells it of the descriptor itself; elsewhere the path is
 * resolved and must still be the very file that is open, or the answer is null.
 */
async function realPathOf(handle: FileHandle, path: string, open: Stats): Promise<string | null> {
  if (process.platform === 'linux') {
    try {
      return await readlink(`/proc/self/fd/${handle.fd}`)
    } catch {
      // No /proc in this sandbox.
    }
  }
  return samePath(path, open)
}

/** The real path of `path` while it is the file of these stats; null when it is another one. */
export async function samePath(
  path: string,
  { dev, ino }: { readonly dev: number; readonly ino: number },
): Promise<string | null> {
  const real = await realpath(path)
  const now = await lstat(real)
  return now.dev === dev && now.ino === ino ? real : null
}

/** The bytes of a file of this size; null when it is longer by now. */
async function readWhole(handle: FileHandle, size: number): Promise<Uint8Array | null> {
  const buffer = Buffer.allocUnsafe(size + 1)
  let length = 0
  while (length <= size) {
    const { bytesRead } = await handle.read(buffer, length, size + 1 - length, null)
    if (bytesRead === 0) return buffer.subarray(0, length)
    length += bytesRead
  }
  return null
}

const GREW: FileFault = {
  code: 'file-unreadable',
  message: 'The file grew while it was read.',
  hint: 'Load again once nothing writes to it.',
}

function tooLarge(size: number, maxBytes: number): FileFault {
  return {
    code: 'file-too-large',
    message: `The file has ${size} bytes; at most ${maxBytes} are read.`,
    hint: 'Make it smaller, or raise the limit.',
  }
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'folder'
  if (stats.isFIFO()) return 'named pipe'
  if (stats.isSocket()) return 'socket'
  return 'device'
}
