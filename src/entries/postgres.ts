export {
  openPostgresLog,
  type PostgresLog,
  type PostgresLogOptions,
} from '../adapters/logs/postgres/open-postgres-log.ts'
