import { randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder } from './make-folder.ts'

/**
 * Replace a file of the user's own in one step: a reader sees the old file or the new one, whole, and so
 * does whoever comes after a crash. Nobody else may read it, or the folder that is made for it.
 */
export async function replaceFile(file: string, text: string): Promise<void> {
  makeFolder(dirname(file), 0o700)
  const draft = `${file}.${randomUUID()}`
  try {
    const handle = await open(draft, 'wx', 0o600)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
