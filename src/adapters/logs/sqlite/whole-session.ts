import { resolve } from 'node:path'
import { inTransaction } from './in-transaction.ts'
import { openDatabase } from './open-database.ts'
import { type WholeEntries, wholeEntries } from './session-damage.ts'
import { whenFree } from './when-free.ts'

/** How long other connections are waited for, in milliseconds. */
const WAIT_MS = 5000

/** What of one session of a file is whole, and what is not. Null when the file does not know it. */
export async function wholeSession(path: string, session: string): Promise<WholeEntries | null> {
  const file = resolve(path)
  const settings = { durability: 'full', lockWaitMs: WAIT_MS, maxBytes: Infinity } as const
  const database = await openDatabase(file, { ...settings, readOnly: true })
  try {
    return await whenFree({ file, doing: 'reading', waitMs: WAIT_MS }, () =>
      inTransaction(database, 'DEFERRED', () => wholeEntries(database, JSON.stringify(session))),
    )
  } finally {
    database.close()
  }
}
