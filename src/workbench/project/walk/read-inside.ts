import { constants, type Stats } from 'node:fs'
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises'
import type { Diagnostic } from '../../../entries/index.ts'
import { decodeText, errorCode, Findings } from '../../../entries/kit.ts'
import { isInside } from './is-inside.ts'
import { FIXED_LIMITS, type ResolvedOptions } from './load-options.ts'

type ReadInsideOutcome =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly fault: FileFault }

/** Does not wait for a writer of a FIFO or a device. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/**
 * Reads a regular file whose real path is inside a folder (given as its real path).
 *
 * The file is opened first, and the checks apply to the open file, so a link that is swapped in
 * meanwhile changes nothing. The size is checked before anything is read.
 */
export async function readInside(
  folder: string,
  path: string,
  { maxBytes, followLinksOut }: { readonly maxBytes: number; readonly followLinksOut: boolean },
): Promise<ReadInsideOutcome> {
  let handle: FileHandle
  try {
    handle = await open(path, FLAGS)
  } catch (error) {
    return { ok: false, fault: fileFaultFromError(error) }
  }
  try {
    const stats = await handle.stat()
    if (!stats.isFile()) return { ok: false, fault: notRegular(fileKind(stats)) }
    if (!followLinksOut) {
      const real = await pathOnDisk(handle, path, stats)
      if (real === null || !isInside(folder, real)) {
        return { ok: false, fault: linkOutside('its folder') }
      }
    }
    if (stats.size > maxBytes) {
      const message = `The file has ${stats.size} bytes; at most ${maxBytes} are read.`
      return { ok: false, fault: { code: 'file-too-large', message, hint: 'Make it smaller.' } }
    }
    const bytes = await readAll(handle, stats.size)
    return bytes === null ? { ok: false, fault: GREW } : { ok: true, bytes }
  } catch (error) {
    return { ok: false, fault: fileFaultFromError(error) }
  } finally {
    await handle.close()
  }
}

/**
 * Returns the real path of an open file. Linux reports it for the descriptor itself. Elsewhere the
 * path is resolved and must still be the file that is open; otherwise the result is null.
 */
async function pathOnDisk(handle: FileHandle, path: string, open: Stats): Promise<string | null> {
  if (process.platform === 'linux') {
    try {
      return await readlink(`/proc/self/fd/${handle.fd}`)
    } catch {
      // No /proc in this sandbox.
    }
  }
  return samePath(path, open)
}

/**
 * Returns the real path of `path` while it is the file of these stats; null when it is another one.
 */
export async function samePath(
  path: string,
  { dev, ino }: { readonly dev: number; readonly ino: number },
): Promise<string | null> {
  const real = await realpath(path)
  const now = await lstat(real)
  return now.dev === dev && now.ino === ino ? real : null
}

/** Returns the bytes of a file of this size; null when it has grown. */
async function readAll(handle: FileHandle, size: number): Promise<Uint8Array | null> {
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

function fileKind(stats: Stats): string {
  if (stats.isDirectory()) return 'folder'
  if (stats.isFIFO()) return 'named pipe'
  if (stats.isSocket()) return 'socket'
  return 'device'
}

/** Reads a definition's text. Faults are added to the diagnostics. */
export async function readText(
  folder: string,
  path: string,
  { followLinksOut }: Pick<ResolvedOptions, 'followLinksOut'>,
  diagnostics: Diagnostic[],
  severity: Diagnostic['severity'] = 'error',
  maxBytes = FIXED_LIMITS.maxTextBytes,
): Promise<string | null> {
  const outcome = await readInside(folder, path, { maxBytes, followLinksOut })
  if (!outcome.ok) {
    diagnostics.push(faultDiagnostic(outcome.fault, severity, path))
    return null
  }
  const findings = new Findings(path)
  const text = decodeText(outcome.bytes, findings)
  diagnostics.push(...findings.list)
  return text
}

/** Bytes. A manifest of ten thousand skills has about fifty million, and a string at most 2^29. */
const MAX_NAMED_FILE_BYTES = 256 * 1024 * 1024

type NamedFile =
  { readonly ok: true; readonly text: string } | { readonly ok: false; readonly fault: FileFault }

/**
 * Reads a file that the user named, following links. A pipe or device is refused without waiting,
 * and a file that is too large is not read.
 */
export async function readNamedFile(path: string): Promise<NamedFile> {
  const options = { maxBytes: MAX_NAMED_FILE_BYTES, followLinksOut: true }
  const outcome = await readInside('', path, options)
  // A byte order mark at the start is no part of the text.
  return outcome.ok ? { ok: true, text: new TextDecoder().decode(outcome.bytes) } : outcome
}

/** The reason why a file could not be read. */
interface FileFault {
  readonly code:
    | 'file-not-found'
    | 'file-not-regular'
    | 'file-too-large'
    | 'file-unreadable'
    | 'link-outside'
    | 'link-broken'
  readonly message: string
  readonly hint: string
}

export function faultDiagnostic(
  fault: FileFault,
  severity: Diagnostic['severity'],
  file: string,
): Diagnostic {
  return { ...fault, severity, file }
}

/** @param target the real path that the link leads to, where that is known */
export function linkOutside(what: string, target?: string): FileFault {
  return {
    code: 'link-outside',
    message: `The link leads out of ${what}${target === undefined ? '' : `, to "${target}",`} and was not followed.`,
    hint: 'Replace it with a copy, or allow links that lead out: --follow-links-out, or `folders: { followLinksOut: true }` in a trusted configuration (in code: followLinksOut).',
  }
}

/** Returns the fault of a file system error; throws any other error. */
export function fileFaultFromError(error: unknown): FileFault {
  switch (errorCode(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return {
        code: 'file-not-found',
        message: 'The file does not exist, or is a link to nothing.',
        hint: 'Add it, or remove the link.',
      }
    case 'ELOOP':
      return {
        code: 'link-broken',
        message: 'The link leads back to itself.',
        hint: 'Remove the link.',
      }
    case 'ENXIO':
    case 'EISDIR':
      return notRegular('special file')
    case undefined:
      throw error
  }
  return {
    code: 'file-unreadable',
    message: `The file cannot be read: ${errorCode(error)}.`,
    hint: 'Check its permissions and the disk.',
  }
}

function notRegular(kind: string): FileFault {
  return {
    code: 'file-not-regular',
    message: `A ${kind} is where a file should be; it was not read.`,
    hint: 'Replace it with a regular file.',
  }
}
