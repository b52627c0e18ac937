import { randomUUID } from 'node:crypto'
import { open, readFile, rename, rm } from 'node:fs/promises'

/**
 * Put text in the place of a file in one step, so that a reader sees the old text or the new one.
 * False when the file has the very text already: it is left alone then.
 */
export async function replaceFile(file: string, text: string): Promise<boolean> {
  const before = await readFile(file, 'utf8').catch(() => null)
  if (before === text) return false
  const draft = `${file}.${randomUUID()}`
  try {
    const handle = await open(draft, 'wx')
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
  return true
}
