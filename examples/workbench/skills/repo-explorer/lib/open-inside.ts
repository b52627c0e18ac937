import { constants, type Stats } from 'node:fs'
import { open, realpath, stat, type FileHandle } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { ToolError } from 'loadout'
import { innerPath, refused } from './inner-path.ts'
import { isSkipped } from './skipped-names.ts'

/** The real path of something inside the root. Links are followed as long as they stay inside. */
export async function realInside(root: string, path: string): Promise<string> {
  const real = await realpath(join(root, innerPath(path))).catch((cause: unknown) => {
    throw notThere(path, cause)
  })
  if (real === root) return real
  if (!real.startsWith(root.endsWith(sep) ? root : root + sep)) {
    throw refused(path, 'is a link that leads out of the root')
  }
  if (relative(root, real).split(sep).some(isSkipped)) {
    throw refused(path, 'leads to a folder that is never read')
  }
  return real
}

/** An open regular file and what is known of it. */
export interface OpenFile {
  readonly handle: FileHandle
  readonly stats: Stats
}

/**
 * Open a regular file inside the root.
 *
 * The path is resolved before and again after opening, and must lead to the very file that was
 * opened, so a link swapped in between gains nothing. Non-blocking, so a FIFO cannot hang it.
 */
export async function openInside(root: string, path: string): Promise<OpenFile> {
  const real = await realInside(root, path)
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)
  const handle = await open(real, flags).catch((cause: unknown) => {
    throw notThere(path, cause)
  })
  try {
    const stats = await handle.stat()
    if (!stats.isFile()) throw notAFile(path, stats)
    const again = await stat(await realInside(root, path))
    if (again.ino !== stats.ino || again.dev !== stats.dev) {
      throw refused(path, 'changed while it was being opened')
    }
    return { handle, stats }
  } catch (error) {
    await handle.close()
    throw error
  }
}

function notThere(path: string, cause: unknown): ToolError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown'
  const details = { path, code }
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new ToolError('NOT_FOUND', `There is no "${path}" below the root.`, { details })
  }
  return new ToolError('PERMANENT', `"${path}" cannot be opened (${code}).`, { details })
}

function notAFile(path: string, stats: Stats): ToolError {
  const what = stats.isDirectory() ? 'a folder; list_files shows what is in it' : 'not a plain file'
  return new ToolError('VALIDATION', `"${path}" is ${what}.`, { details: { path } })
}
