import type { Lock } from '../../catalog/lock.ts'
import { readLock } from '../../catalog/read-lock.ts'
import { readBuiltFile } from '../manifest/read-built-file.ts'

/** Read a lock's file. Throws `PATH_NOT_FOUND`, `FILE_UNREADABLE` or `LOCK_INVALID`. */
export async function readLockFile(file: string): Promise<Lock> {
  const kind = { name: 'lock', command: 'lock', invalid: 'LOCK_INVALID' } as const
  return readLock(await readBuiltFile(file, kind))
}
