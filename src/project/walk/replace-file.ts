import { randomUUID } from 'node:crypto'
import { open, realpath, rename, rm } from 'node:fs/promises'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { readNamedFile } from './read-named-file.ts'

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
  const target = await realpath(file).catch(() => file)
  const draft = `${target}.${randomUUID()}`
  try {
    const handle = await open(draft, 'wx')
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  return true
}
