export {
  openSqliteLog,
  type SqliteLog,
  type SqliteLogOptions,
} from '../adapters/logs/sqlite/open-sqlite-log.ts'
export {
  repairSqliteLog,
  type SqliteRepairOptions,
} from '../adapters/logs/sqlite/repair-sqlite-log.ts'
export type { LogRepair } from '../workspace/log/log-damage.ts'
