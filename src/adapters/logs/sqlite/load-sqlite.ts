import type * as Sqlite from 'node:sqlite'
import { WorkspaceError } from '../../../kernel/workspace-error.ts'

/**
 * Node's own SQLite, loaded at first use.
 *
 * Node 22 says on stderr, once, that it is experimental. What is used of it has been the same in
 * every version this package promises, and a user of a log can do nothing about it, so that one
 * warning is left out; loading is synchronous, so no other warning can come in between.
 */
export function loadSqlite(): typeof Sqlite {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    const sqlite = process.getBuiltinModule('node:sqlite') as typeof Sqlite | undefined
    if (sqlite) return sqlite
  } finally {
    process.emitWarning = emitWarning
  }
  throw new WorkspaceError('LOG_UNREADABLE', 'This Node has no SQLite.', {
    facts: { node: process.version },
    hint: 'Start Node without --no-experimental-sqlite, or use another log.',
  })
}
