export {
  type CallBudgetOptions,
  openCallBudget,
  type SqliteCallBudget,
} from '../connections/logs/sqlite/open-call-budget.ts'
export {
  openSqliteLog,
  type SqliteLog,
  type SqliteLogOptions,
} from '../connections/logs/sqlite/open-sqlite-log.ts'
export {
  repairSqliteLog,
  type SqliteRepairOptions,
} from '../connections/logs/sqlite/repair-sqlite-log.ts'
export type { LogRepair } from '../connections/logs/log-damage.ts'
