import type { Lock } from '../../../catalog/lock/lock.ts'
import { readLock } from '../../../catalog/lock/read-lock.ts'
import { WorkspaceError } from '../../../kernel/workspace-error.ts'
import { readNamedFile } from '../read-named-file.ts'

/** Read a lock's file. Throws `PATH_NOT_FOUND`, `FILE_UNREADABLE` or `LOCK_INVALID`. */
export async function readLockFile(file: string): Promise<Lock> {
  const read = await readNamedFile(file)
  if (read.ok) return readLock(parse(read.text, file))
  const { code, message, hint } = read.fault
  const facts = { file }
  if (code === 'file-not-found') {
    throw new WorkspaceError('PATH_NOT_FOUND', `There is no lock at "${file}".`, {
      facts,
      hint: 'Write one: loadout lock.',
    })
  }
  throw new WorkspaceError('FILE_UNREADABLE', `No lock can be read at "${file}". ${message}`, {
    facts,
    hint,
  })
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new WorkspaceError('LOCK_INVALID', `"${file}" is not JSON: ${String(cause)}`, {
      facts: { file },
      hint: 'Write it again: loadout lock.',
      cause,
    })
  }
}
