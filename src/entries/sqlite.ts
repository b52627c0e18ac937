export type { Durability } from '../session/durability.ts'
export { openSqliteLog } from '../adapters/sqlite/open-sqlite-log.ts'
export type { SqliteLog, SqliteLogOptions } from '../adapters/sqlite/open-sqlite-log.ts'
