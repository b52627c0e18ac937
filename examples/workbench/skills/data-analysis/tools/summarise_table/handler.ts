import { ToolError } from 'loadout'
import type { DataContext } from '../../lib/data-context.ts'
import { findTable } from '../../lib/find-table.ts'
import { ensureOpen } from '../../lib/open-data.ts'
import type { AnswerCell } from '../../lib/query-job.ts'
import { quoteName } from '../../lib/quote-name.ts'
import { runQueries } from '../../lib/run-queries.ts'
import { sessionTables, type OpenTable } from '../../lib/session-tables.ts'
import type { Column } from '../../lib/table-data.ts'

interface Input {
  readonly table: string
  readonly columns?: readonly string[]
  readonly top?: number
  readonly file?: string
}

interface Summary extends Column {
  readonly count: number
  readonly nulls: number
  readonly distinct: number
  readonly min: AnswerCell
  readonly max: AnswerCell
  /** Of numbers only. */
  readonly mean?: number
  readonly top: readonly { readonly value: AnswerCell; readonly count: number }[]
}

interface Output {
  readonly table: string
  readonly rows: number
  readonly columns: readonly Summary[]
}

/** Of each value shown. */
const MOST_CHARACTERS = 200

export async function execute(input: Input, context: DataContext): Promise<Output> {
  const { top = 3 } = input
  if (input.file !== undefined) await ensureOpen(input.file, context)
  const session = sessionTables(context.call.session)
  const table = findTable(session, input.table)
  const columns = pick(table, input.columns)
  const queries = columns.flatMap((column) => [figures(table, column), frequent(table, column)])
  const limits = { limit: top, characters: MOST_CHARACTERS }
  const answers = await runQueries(session.database, queries, limits, context.signal)
  const summaries = columns.map((column, at) => {
    const [count, nulls, distinct, min = null, max = null, mean] = answers[2 * at]?.rows[0] ?? []
    return {
      ...column,
      count: Number(count),
      nulls: Number(nulls),
      distinct: Number(distinct),
      min,
      max,
      ...(column.type !== 'TEXT' && typeof mean === 'number' && { mean }),
      top: (answers[2 * at + 1]?.rows ?? []).map(([value = null, times]) => ({
        value,
        count: Number(times),
      })),
    }
  })
  return { table: table.name, rows: table.rows, columns: summaries }
}

function figures(table: OpenTable, { name }: Column): string {
  const column = quoteName(name)
  const nulls = `count(*) - count(${column})`
  const spread = `count(DISTINCT ${column}), min(${column}), max(${column}), avg(${column})`
  return `SELECT count(${column}), ${nulls}, ${spread} FROM ${quoteName(table.name)}`
}

/** The commonest values first; of those as common, the smallest. */
function frequent(table: OpenTable, { name }: Column): string {
  const column = quoteName(name)
  const from = `FROM ${quoteName(table.name)} WHERE ${column} IS NOT NULL`
  return `SELECT ${column}, count(*) AS times ${from} GROUP BY 1 ORDER BY times DESC, 1`
}

function pick(table: OpenTable, wanted: readonly string[] | undefined): readonly Column[] {
  if (wanted === undefined) return table.columns
  return wanted.map((name) => {
    const column = table.columns.find((each) => each.name.toLowerCase() === name.toLowerCase())
    if (column !== undefined) return column
    const known = table.columns.map((each) => each.name)
    throw new ToolError('VALIDATION', `"${table.name}" has no column "${name}".`, {
      details: { columns: known },
    })
  })
}
