import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Column } from './table-data.ts'

/** One open table, as `describe_table` tells it. */
export interface OpenTable {
  readonly name: string
  /** The file it was read from, or `inline`. */
  readonly source: string
  readonly rows: number
  readonly columns: readonly Column[]
}

/** What one session has open. */
export interface SessionTables {
  /** Path of its SQLite database, in a folder only this user can enter. */
  readonly database: string
  /** Tables by lower-cased name: SQLite compares names without case. */
  readonly tables: Map<string, OpenTable>
}

/** Sessions that keep their tables; the one unused for longest loses them to the next. */
export const MOST_SESSIONS = 16

interface Kept extends SessionTables {
  readonly folder: string
}

const sessions = new Map<string, Kept>()

/**
 * The tables of a session, none at first. They last as long as the process: the databases are
 * temporary files, removed when it ends (one that is killed leaves them to the system's own
 * cleaning). Sessions share nothing.
 */
export function sessionTables(session: string): SessionTables {
  const kept = sessions.get(session) ?? create()
  sessions.delete(session)
  sessions.set(session, kept)
  for (const [oldest, { folder }] of sessions) {
    if (sessions.size <= MOST_SESSIONS) break
    sessions.delete(oldest)
    remove(folder)
  }
  return kept
}

function create(): Kept {
  if (sessions.size === 0 && !process.listeners('exit').includes(removeAllTables)) {
    process.on('exit', removeAllTables)
  }
  const folder = mkdtempSync(join(tmpdir(), 'workbench-tables-'))
  return { folder, database: join(folder, 'tables.sqlite'), tables: new Map() }
}

/** Remove the tables of every session, as happens when the process ends. */
export function removeAllTables(): void {
  for (const { folder } of sessions.values()) remove(folder)
  sessions.clear()
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}
