import { randomUUID } from 'node:crypto'
import { realpath, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { isInside } from './is-inside.ts'
import { makeFolder } from './make-folder.ts'

/**
 * Write a file below a folder in one step: whoever reads sees the file of before or the new one,
 * whole. Throws `PATH_OUTSIDE` when a link leads its folder out of the given one.
 */
export async function writeNewFile(folder: string, path: string, text: string): Promise<void> {
  makeFolder(dirname(path))
  const root = await realpath(folder)
  if (!isInside(root, await realpath(dirname(path)))) {
    throw new WorkspaceError('PATH_OUTSIDE', `"${path}" leads out of "${folder}".`, {
      facts: { path, folder },
      hint: 'Remove the link, or write into another folder.',
    })
  }
  const draft = `${path}.${randomUUID()}`
  try {
    await writeFile(draft, text, { flag: 'wx' })
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
