import { posix } from 'node:path'
import { ToolError } from 'loadout'
import { csvTable } from './csv-table.ts'
import type { DataContext } from './data-context.ts'
import { jsonTable } from './json-table.ts'
import { readDataFile } from './read-data-file.ts'
import { sessionTables, type OpenTable } from './session-tables.ts'
import { stopWhenAborted } from './stop-when-aborted.ts'
import { storeTable } from './store-table.ts'
import { checkTableName, tableName } from './table-name.ts'

/** Where a table comes from: a file below the root, or the text itself. */
export interface DataSource {
  readonly file?: string
  readonly text?: string
  readonly format?: 'csv' | 'json'
  readonly table?: string
  readonly header?: boolean
  readonly delimiter?: string
  readonly replace?: boolean
}

const MOST_TABLES = 20

/** Read a source, type its columns, and keep it as a table of the session. */
export async function openData(source: DataSource, context: DataContext): Promise<OpenTable> {
  if ((source.file === undefined) === (source.text === undefined)) {
    throw new ToolError('VALIDATION', 'Give either a file or a text.')
  }
  stopWhenAborted(context.signal)
  const name = source.table ?? tableName(source.file ?? 'data')
  checkTableName(name)
  const text = source.text ?? (await readDataFile(source.file ?? '', context))
  stopWhenAborted(context.signal)

  const session = sessionTables(context.call.session)
  const key = name.toLowerCase()
  if (session.tables.has(key) && source.replace !== true) {
    throw new ToolError(
      'CONFLICT',
      `A table "${name}" is open already; give "replace" or a name.`,
      {
        details: { open: [...session.tables.values()].map((table) => table.name) },
      },
    )
  }
  if (session.tables.size >= MOST_TABLES && !session.tables.has(key)) {
    throw new ToolError('VALIDATION', `A session has at most ${MOST_TABLES} tables; replace one.`)
  }
  const data =
    formatOf(source, text) === 'json' ? jsonTable(text) : csvTable(bare(text), options(source))
  storeTable(session.database, name, data)
  const table = {
    name,
    source: source.file ?? 'inline',
    rows: data.rows.length,
    columns: data.columns,
  }
  session.tables.set(key, table)
  return table
}

/** Open a file under its own name, unless it is open already. */
export async function ensureOpen(file: string, context: DataContext): Promise<void> {
  const open = [...sessionTables(context.call.session).tables.values()]
  if (!open.some(({ source }) => source === file)) await openData({ file }, context)
}

function formatOf({ format, file }: DataSource, text: string): 'csv' | 'json' {
  if (format !== undefined) return format
  if (file !== undefined) return posix.extname(file).toLowerCase() === '.json' ? 'json' : 'csv'
  return /^\s*[[{]/.test(text) ? 'json' : 'csv'
}

function options(source: DataSource): { header: boolean; delimiter?: string } {
  const { header = true, delimiter } = source
  return delimiter === undefined ? { header } : { header, delimiter }
}

/** Inline text may carry the byte order mark that decoding a file takes away. */
function bare(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text
}
