import { DatabaseSync } from 'node:sqlite'
import { SCHEMA } from './schema.ts'

/** A site in memory, or in a file; a new one is empty. */
export function openDatabase(path = ':memory:'): DatabaseSync {
  const database = new DatabaseSync(path)
  const { user_version: version } = { ...database.prepare('PRAGMA user_version').get() }
  if (version === 0) database.exec(`BEGIN; ${SCHEMA} PRAGMA user_version = 1; COMMIT`)
  return database
}
