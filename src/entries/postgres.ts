export type { Durability } from '../session/log/durability.ts'
export { openPostgresLog } from '../adapters/postgres/open-postgres-log.ts'
export type { PostgresLog, PostgresLogOptions } from '../adapters/postgres/open-postgres-log.ts'
