export {
  openPostgresLog,
  type PostgresLog,
  type PostgresLogOptions,
} from '../connections/logs/postgres/open-postgres-log.ts'
