import type { DataContext } from '../../lib/data-context.ts'
import { findTable, someTables } from '../../lib/find-table.ts'
import { ensureOpen } from '../../lib/open-data.ts'
import type { AnswerCell } from '../../lib/query-job.ts'
import { quoteName } from '../../lib/quote-name.ts'
import { runQueries } from '../../lib/run-queries.ts'
import { sessionTables, type OpenTable } from '../../lib/session-tables.ts'

interface Input {
  readonly table?: string
  readonly file?: string
}

interface Output {
  readonly tables: readonly (OpenTable & { readonly sample: readonly (readonly AnswerCell[])[] })[]
}

const SAMPLE_ROWS = 3
/** Of each value shown. */
const MOST_CHARACTERS = 200

export async function execute(input: Input, context: DataContext): Promise<Output> {
  if (input.file !== undefined) await ensureOpen(input.file, context)
  const session = sessionTables(context.call.session)
  const wanted = input.table === undefined ? someTables(session) : [findTable(session, input.table)]
  const queries = wanted.map(({ name }) => `SELECT * FROM ${quoteName(name)}`)
  const limits = { limit: SAMPLE_ROWS, characters: MOST_CHARACTERS }
  const answers = await runQueries(session.database, queries, limits, context.signal)
  return { tables: wanted.map((table, at) => ({ ...table, sample: answers[at]?.rows ?? [] })) }
}
