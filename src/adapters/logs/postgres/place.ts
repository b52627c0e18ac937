import pg from 'pg'
import { WorkspaceError } from '../../../kernel/workspace-error.ts'

/**
 * Where a database is, for people: `host:port/database`, without user and password. Throws
 * `LOG_UNREADABLE` for what is no address, without repeating it.
 */
export function placeOf(config: pg.PoolConfig): string {
  try {
    const { host, port, database } = new pg.Client(config)
    return `${host}:${port}/${database ?? ''}`
  } catch {
    throw new WorkspaceError('LOG_UNREADABLE', 'The address of the database cannot be read.', {
      hint: 'Give one like postgres://user:password@host:5432/database, or a pool.',
    })
  }
}
