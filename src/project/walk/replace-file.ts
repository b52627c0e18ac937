import { randomUUID } from 'node:crypto'
import { open, realpath, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { isInside } from './is-inside.ts'
import { makeFolder } from './make-folder.ts'
import { readNamedFile } from './read-inside.ts'

/**
 * Put text in the place of a file in one step, so that a reader sees the old text or the new one. A
 * link stays one, and the file it leads to is replaced. False when the file has the very text
 * already: it is left alone then.
 *
 * Throws `FILE_NOT_REGULAR` where a folder, pipe or device stands: taking the place of a device would
 * take it from everybody.
 */
export async function replaceFile(file: string, text: string): Promise<boolean> {
  const before = await readNamedFile(file)
  if (before.ok && before.text === text) return false
  if (!before.ok && before.fault.code === 'file-not-regular') {
    throw new WorkspaceError('FILE_NOT_REGULAR', `"${file}" cannot be written: it is no file.`, {
      facts: { file },
      hint: 'Name a file, or one that is not there yet.',
    })
  }
  await writeThenRename(await realpath(file).catch(() => file), text)
  return true
}

/**
 * Replace a file of the user's own in one step: a reader sees the old file or the new one, whole, and so
 * does whoever comes after a crash. Nobody else may read it, or the folder that is made for it.
 */
export async function replacePrivateFile(file: string, text: string): Promise<void> {
  makeFolder(dirname(file), 0o700)
  await writeThenRename(file, text, { mode: 0o600 })
}

/**
 * Write a file below a folder in one step: whoever reads sees the file of before or the new one,
 * whole. Throws `PATH_OUTSIDE` when a link leads its folder out of the given one.
 */
export async function replaceFileInside(folder: string, path: string, text: string): Promise<void> {
  makeFolder(dirname(path))
  const root = await realpath(folder)
  if (!isInside(root, await realpath(dirname(path)))) {
    throw new WorkspaceError('PATH_OUTSIDE', `"${path}" leads out of "${folder}".`, {
      facts: { path, folder },
      hint: 'Remove the link, or write into another folder.',
    })
  }
  await writeThenRename(path, text, { sync: false })
}

interface WriteOptions {
  readonly mode?: number
  /** Force the text to the disk before the file is replaced, so that a crash loses neither. */
  readonly sync?: boolean
}

/** Writes text to a draft next to a file, and renames the draft to the file. */
async function writeThenRename(
  file: string,
  text: string,
  { mode, sync = true }: WriteOptions = {},
): Promise<void> {
  const draft = `${file}.${randomUUID()}`
  try {
    const handle = await open(draft, 'wx', mode)
    try {
      await handle.writeFile(text)
      if (sync) await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
