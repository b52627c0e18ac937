import type { Lock } from '../../../catalog/lock/lock.ts'
import { readLock } from '../../../catalog/lock/read-lock.ts'
import { readBuiltFile } from '../build/read-built-file.ts'

/** Read a lock's file. Throws `PATH_NOT_FOUND`, `FILE_UNREADABLE` or `LOCK_INVALID`. */
export async function readLockFile(file: string): Promise<Lock> {
  const kind = { name: 'lock', command: 'lock', invalid: 'LOCK_INVALID' } as const
  return readLock(await readBuiltFile(file, kind))
}
