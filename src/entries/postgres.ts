export type { Durability } from '../workspace/log/event-log.ts'
export {
  openPostgresLog,
  type PostgresLog,
  type PostgresLogOptions,
} from '../adapters/logs/postgres/open-postgres-log.ts'
