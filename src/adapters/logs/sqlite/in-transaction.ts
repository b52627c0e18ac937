import type { DatabaseSync } from 'node:sqlite'

/**
 * Do some work in a transaction: all of it is there afterwards, or none.
 *
 * `DEFERRED` reads one state of the database throughout; `IMMEDIATE` keeps other writers out from
 * its beginning, so that what the work reads is what it changes.
 */
export function inTransaction<T>(
  database: DatabaseSync,
  kind: 'DEFERRED' | 'IMMEDIATE',
  work: () => T,
): T {
  database.exec(`BEGIN ${kind}`)
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    // A full disk has rolled back already.
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}
