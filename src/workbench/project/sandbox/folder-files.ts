import { constants, realpathSync, type Stats } from 'node:fs'
import {
  type FileHandle,
  lstat,
  mkdir,
  open,
  readdir,
  readlink,
  realpath,
  stat,
  unlink,
} from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { WorkspaceError } from '../../../entries/index.ts'
import { isInside } from '../walk/is-inside.ts'
import { readInside, samePath } from '../walk/read-inside.ts'
import { writeThenRename } from '../walk/replace-file.ts'
import type { SandboxDirectoryEntry, SandboxFileStat } from './sandbox-session.ts'

/** Larger files are not read. */
const MAX_FILE_BYTES = 64 * 1024 * 1024

/**
 * The files below a folder of the host. No path leads out of it: real paths are compared, links included, and a
 * folder is opened before a file in it is written, so that a link that is swapped in meanwhile changes nothing.
 *
 * A path that leads out is refused with `PATH_OUTSIDE`, and what is no regular file with `FILE_NOT_REGULAR`.
 */
export class FolderFiles {
  readonly #given: string
  #root: string | undefined

  /** @param given an absolute path */
  constructor(given: string) {
    this.#given = given
  }

  /** The real path, which is looked up once. */
  get root(): string {
    return (this.#root ??= realFolder(this.#given))
  }

  /** Returns the absolute path that a path means. Links are not looked at yet. */
  resolve(path: string): string {
    if (path.includes('\0')) throw this.#outside(path)
    const full = resolve(this.root, path)
    if (isInside(this.root, full)) return full
    // The host's path of the folder may have links itself.
    if (!isInside(this.#given, full)) throw this.#outside(path)
    return join(this.root, full.slice(this.#given.length))
  }

  /** Returns null when there is no such file. */
  async read(path: string): Promise<Uint8Array | null> {
    const full = this.resolve(path)
    const options = { maxBytes: MAX_FILE_BYTES, followLinksOut: false }
    const outcome = await readInside(this.root, full, options)
    if (outcome.ok) return outcome.bytes
    const { code, message, hint } = outcome.fault
    if (code === 'file-not-found') return null
    if (code === 'link-outside') throw this.#outside(path)
    throw new WorkspaceError(
      code === 'file-not-regular' ? 'FILE_NOT_REGULAR' : 'FILE_UNREADABLE',
      `"${path}": ${message}`,
      { facts: { path }, hint },
    )
  }

  /** Replaces a file in one step, and creates its folders. Keeps the permissions of a file that is there. */
  async write(path: string, content: Uint8Array): Promise<void> {
    const full = this.resolve(path)
    if (full === this.root) throw notRegular(path)
    const target =
      (await this.#realPath(full)) ??
      join((await this.#realPath(dirname(full))) ?? dirname(full), basename(full))
    await this.#inFolder(dirname(target), path, 'create', async (folder) => {
      const file = join(folder, basename(target))
      const before = await lstat(file).catch(missing)
      // A link is followed above; one that is here now leads nowhere, or was swapped in.
      if (before?.isSymbolicLink()) throw this.#outside(path)
      if (before !== null && !before.isFile()) throw notRegular(path)
      const mode = before === null ? {} : { mode: before.mode & 0o777 }
      await writeThenRename(file, content, { ...mode, sync: false })
    })
  }

  /** Returns false when there is no such file. A link is deleted itself. */
  async delete(path: string): Promise<boolean> {
    const full = this.resolve(path)
    if (full === this.root) throw notRegular(path)
    const parent = await this.#realPath(dirname(full))
    if (parent === null) return false
    return this.#inFolder(parent, path, 'existing', async (folder) => {
      const file = join(folder, basename(full))
      const stats = await lstat(file).catch(missing)
      if (stats === null) return false
      if (stats.isDirectory()) throw notRegular(path)
      await unlink(file)
      return true
    })
  }

  /** Returns null when there is nothing. */
  async stat(path: string): Promise<SandboxFileStat | null> {
    const real = await this.#realPath(this.resolve(path))
    const stats = real === null ? null : await stat(real).catch(missing)
    return stats === null ? null : { type: entryType(stats), size: stats.size }
  }

  /** Returns null when there is no such folder. */
  async list(path: string): Promise<SandboxDirectoryEntry[] | null> {
    const real = await this.#realPath(this.resolve(path))
    if (real === null) return null
    return this.#inFolder(real, path, 'existing', async (folder) => {
      const entries = await readdir(folder, { withFileTypes: true })
      return entries.map((entry) => ({
        name: entry.name,
        type: entry.isSymbolicLink() ? 'symlink' : entryType(entry),
      }))
    })
  }

  /** Returns the real path of a folder in which a command may start. */
  async folder(path: string): Promise<string> {
    const real = await this.#realPath(this.resolve(path))
    const stats = real === null ? null : await stat(real)
    if (real === null || !stats?.isDirectory()) throw notAFolder(path)
    return real
  }

  /** Returns the real path, or null when nothing is there. */
  async #realPath(full: string): Promise<string | null> {
    const real = await realpath(full).catch(missing)
    if (real !== null && !isInside(this.root, real)) throw this.#outside(full)
    return real
  }

  /**
   * Opens a folder and passes a path to it that no change of links can lead elsewhere. Systems without `/proc`
   * have no such path; there the folder is compared with the open one.
   */
  async #inFolder<T>(
    full: string,
    path: string,
    mode: 'existing' | 'create',
    use: (folder: string) => Promise<T>,
  ): Promise<T> {
    const handle = await this.#openFolder(full, path, mode)
    try {
      return await use(await this.#anchor(handle, full, path))
    } finally {
      await handle.close()
    }
  }

  async #openFolder(full: string, path: string, mode: 'existing' | 'create'): Promise<FileHandle> {
    try {
      return await open(full, FOLDER_FLAGS)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOTDIR' || code === 'ELOOP') throw notAFolder(path)
      if (code !== 'ENOENT' || mode === 'existing' || full === this.root) throw error
    }
    const parent = (await this.#realPath(dirname(full))) ?? dirname(full)
    await this.#inFolder(parent, path, mode, async (folder) => {
      await mkdir(join(folder, basename(full))).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
      })
    })
    const real = await this.#realPath(full)
    // A link that leads nowhere has the name.
    if (real === null) throw this.#outside(path)
    return open(real, FOLDER_FLAGS)
  }

  async #anchor(handle: FileHandle, full: string, path: string): Promise<string> {
    const descriptor = `/proc/self/fd/${handle.fd}`
    const real =
      (process.platform === 'linux' ? await readlink(descriptor).catch(() => null) : null) ??
      (await samePath(full, await handle.stat()))
    if (real === null || !isInside(this.root, real)) throw this.#outside(path)
    return process.platform === 'linux' ? descriptor : real
  }

  #outside(path: string): WorkspaceError {
    return new WorkspaceError('PATH_OUTSIDE', `"${path}" leads out of the folder of the sandbox.`, {
      facts: { path, folder: this.root },
      hint: `Give a path below "${this.root}".`,
    })
  }
}

const FOLDER_FLAGS = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0)

/** Returns null for something that does not exist; throws any other error. */
function missing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
  throw error
}

function entryType(entry: Pick<Stats, 'isFile' | 'isDirectory'>) {
  return entry.isFile() ? 'file' : entry.isDirectory() ? 'directory' : 'other'
}
export function notRegular(path: string): WorkspaceError {
  return new WorkspaceError('FILE_NOT_REGULAR', `"${path}" is not a regular file.`, {
    facts: { path },
    hint: 'Give another path.',
  })
}

function notAFolder(path: string): WorkspaceError {
  return new WorkspaceError('PATH_NOT_A_FOLDER', `"${path}" is no folder.`, {
    facts: { path },
    hint: 'Create it first, or give another path.',
  })
}

function realFolder(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    throw notAFolder(path)
  }
}
