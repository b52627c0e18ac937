import { randomUUID } from 'node:crypto'
import { chmod, open, realpath, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { WorkspaceError } from '../../../entries/index.ts'
import { isInside } from './is-inside.ts'
import { lockFile } from './lock-file.ts'
import { makeFolder } from './make-folder.ts'
import { readNamedFile } from './read-inside.ts'

/**
 * Replaces a file with text in one step, so that a reader sees the old text or the new one. A link
 * stays a link, and its target is replaced. Returns false, and writes nothing, when the file
 * already has this text.
 *
 * Throws `FILE_NOT_REGULAR` for a folder, pipe or device: replacing a device would remove it for
 * all programs.
 */
export async function replaceFile(file: string, text: string): Promise<boolean> {
  const before = await readNamedFile(file)
  if (before.ok && before.text === text) return false
  if (!before.ok && before.fault.code === 'file-not-regular') {
    const message = `"${file}" cannot be written: it is not a regular file.`
    throw new WorkspaceError('FILE_NOT_REGULAR', message, {
      facts: { file },
      hint: 'Give a regular file, or a path that does not exist yet.',
    })
  }
  await writeThenRename(await realpath(file).catch(() => file), text)
  return true
}

/**
 * Replaces a private file of the user in one step: a reader sees the old file or the complete new
 * one, even after a crash. Only the user may read the file, and the folder that is created for it.
 */
export async function replacePrivateFile(file: string, text: string): Promise<void> {
  makeFolder(dirname(file), 0o700)
  await writeThenRename(file, text, { mode: 0o600 })
}

/** Attempts to change a file while others change it, and the longest wait between two, in milliseconds. */
const MAX_ATTEMPTS = 200
const LONGEST_WAIT = 50

/**
 * Changes a private file of the user, one process after the other, so that none undoes what another one writes at the
 * same time. Throws `FILE_LOCKED` when another process does not end its change, and `FILE_WRITE_FAILED` when it cannot
 * be locked.
 *
 * @param change reads the file, and returns its new text
 */
export async function changePrivateFile(
  file: string,
  change: () => Promise<string>,
): Promise<void> {
  makeFolder(dirname(file), 0o700)
  const release = await lockInTurn(file)
  try {
    await replacePrivateFile(file, await change())
  } finally {
    await release()
  }
}

async function lockInTurn(file: string): Promise<() => Promise<void>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await lockFile(file)
    } catch (error) {
      const isLocked = WorkspaceError.is(error) && error.code === 'FILE_LOCKED'
      if (!isLocked || attempt === MAX_ATTEMPTS) throw error
    }
    await setTimeout(Math.random() * LONGEST_WAIT)
  }
}

/**
 * Writes a file below a folder in one step: a reader sees the old file or the complete new one.
 * Throws `PATH_OUTSIDE` when a link leads its folder out of the given one.
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

/**
 * Writes a draft next to a file, and renames the draft to the file.
 *
 * @param sync force the text to the disk before the file is replaced, so that a crash loses neither
 */
export async function writeThenRename(
  file: string,
  content: string | Uint8Array,
  { mode, sync = true }: { readonly mode?: number; readonly sync?: boolean } = {},
): Promise<void> {
  const draft = `${file}.${randomUUID()}`
  try {
    const handle = await open(draft, 'wx', mode)
    try {
      await handle.writeFile(content)
      if (sync) await handle.sync()
    } finally {
      await handle.close()
    }
    // The mode of "open" is lowered by that of the process. By its name: Node's permission model allows no other way.
    if (mode !== undefined) await chmod(draft, mode)
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
