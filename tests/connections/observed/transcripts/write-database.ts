import { DatabaseSync } from 'node:sqlite'
import type { Line } from './samples.ts'

/** Writes rows as OpenCode does, with other columns; returns the open database. */
export function writeDatabase(file: string, rows: readonly Line[]): DatabaseSync {
  const database = new DatabaseSync(file)
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
    CREATE TABLE session (id text PRIMARY KEY, project_id text, parent_id text, slug text, directory text,
      title text, version text, revert text, time_created integer, time_updated integer);
    CREATE TABLE message (id text PRIMARY KEY, session_id text, time_created integer, data text);
    CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text, time_created integer, data text);
    CREATE TABLE todo (session_id text, content text);`)
  for (const row of rows) {
    const { table, ...own } = row
    const names = [...database.prepare(`PRAGMA table_info(${String(table)})`).all()].map(
      ({ name }) => String(name),
    )
    const given = names.filter((name) => own[name] !== undefined)
    const values = given.map((name) => {
      const value = own[name]
      return typeof value === 'string' || typeof value === 'number' || value === null
        ? value
        : JSON.stringify(value)
    })
    const marks = given.map(() => '?').join(', ')
    database
      .prepare(`INSERT INTO ${String(table)} (${given.join(', ')}) VALUES (${marks})`)
      .run(...values)
  }
  return database
}
