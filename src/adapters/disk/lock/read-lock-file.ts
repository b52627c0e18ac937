import { readFile } from 'node:fs/promises'
import type { Lock } from '../../../catalog/lock/lock.ts'
import { readLock } from '../../../catalog/lock/read-lock.ts'
import { WorkspaceError } from '../../../kernel/workspace-error.ts'

/** Read a lock's file. Throws `PATH_NOT_FOUND` or `LOCK_INVALID`. */
export async function readLockFile(file: string): Promise<Lock> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (cause) {
    throw new WorkspaceError('PATH_NOT_FOUND', `There is no lock to read at "${file}".`, {
      facts: { file },
      hint: 'Write one: loadout lock.',
      cause,
    })
  }
  try {
    return readLock(JSON.parse(text))
  } catch (cause) {
    if (WorkspaceError.is(cause)) throw cause
    throw new WorkspaceError('LOCK_INVALID', `"${file}" is not JSON: ${String(cause)}`, {
      facts: { file },
      hint: 'Write it again: loadout lock.',
      cause,
    })
  }
}
