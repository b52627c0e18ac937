import type { DataContext } from '../../lib/data-context.ts'
import { someTables } from '../../lib/find-table.ts'
import { oneSelect } from '../../lib/one-select.ts'
import { ensureOpen } from '../../lib/open-data.ts'
import type { AnswerCell } from '../../lib/query-job.ts'
import { runQueries } from '../../lib/run-queries.ts'
import { sessionTables } from '../../lib/session-tables.ts'

interface Input {
  readonly sql: string
  readonly file?: string
  readonly limit?: number
  readonly timeoutMs?: number
}

interface Output {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly AnswerCell[])[]
  readonly complete: boolean
  readonly note?: string
}

export async function execute(input: Input, context: DataContext): Promise<Output> {
  const { sql, file, limit = 100, timeoutMs } = input
  oneSelect(sql)
  if (file !== undefined) await ensureOpen(file, context)
  const session = sessionTables(context.call.session)
  someTables(session)
  const limits = timeoutMs === undefined ? { limit } : { limit, timeoutMs }
  const [answer] = await runQueries(session.database, [sql], limits, context.signal)
  const { columns, rows, complete } = answer ?? { columns: [], rows: [], complete: true }
  if (complete) return { columns, rows, complete }
  const note = `Cut after ${rows.length} rows; aggregate, or narrow it down with WHERE and LIMIT.`
  return { columns, rows, complete, note }
}
