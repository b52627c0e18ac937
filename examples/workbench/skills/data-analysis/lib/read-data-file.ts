import { constants } from 'node:fs'
import { open, realpath, stat } from 'node:fs/promises'
import { posix, resolve, sep, win32 } from 'node:path'
import { ToolError } from 'loadout'
import type { DataContext } from './data-context.ts'

/** Bytes of the largest file that is opened as a table. */
const MOST_BYTES = 16 * 1024 * 1024

/**
 * The text of a data file below the host's root.
 *
 * Links are followed as long as they stay inside, and the path must still lead to the very file
 * that was opened, so a link swapped in between gains nothing.
 */
export async function readDataFile(file: string, context: DataContext): Promise<string> {
  const root = await realpath(context.services?.root ?? process.cwd())
  const path = await realInside(root, file)
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const opened = await handle.stat()
    const named = await stat(await realInside(root, file))
    if (named.ino !== opened.ino || named.dev !== opened.dev) throw refused(file)
    if (!opened.isFile()) throw new ToolError('VALIDATION', `"${file}" is not a plain file.`)
    if (opened.size > MOST_BYTES) throw tooLarge(file, opened.size)
    const bytes = Buffer.alloc(opened.size)
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0)
    return decode(bytes.subarray(0, bytesRead), file)
  } finally {
    await handle.close()
  }
}

async function realInside(root: string, file: string): Promise<string> {
  const absolute = posix.isAbsolute(file) || win32.isAbsolute(file)
  if (absolute || file.includes('\0') || file.includes('\\')) throw refused(file)
  const inside = (path: string): boolean => path.startsWith(root.endsWith(sep) ? root : root + sep)
  const wanted = resolve(root, file)
  if (!inside(wanted)) throw refused(file)
  const real = await realpath(wanted).catch(() => {
    throw new ToolError('NOT_FOUND', `There is no file "${file}" below the root.`, {
      details: { file },
    })
  })
  if (!inside(real)) throw refused(file)
  return real
}

function decode(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new ToolError('VALIDATION', `"${file}" is not UTF-8 text.`, { details: { file } })
  }
}

function refused(file: string): ToolError {
  const message = `The path ${JSON.stringify(file)} does not stay below the root.`
  return new ToolError('DENIED', message, { details: { file } })
}

function tooLarge(file: string, size: number): ToolError {
  return new ToolError('VALIDATION', `"${file}" has ${size} bytes; ${MOST_BYTES} are the most.`, {
    details: { file, size, limit: MOST_BYTES },
  })
}
