import { DatabaseSync } from 'node:sqlite'
import { ToolError } from 'loadout'
import { quoteName } from './quote-name.ts'
import type { TableData } from './table-data.ts'

/** Pages of 4 KiB that all tables of one session may take together: 64 MiB. */
const MOST_PAGES = 16_384

/** Write a table into a session's database, in place of one of the same name; all of it or none. */
export function storeTable(path: string, name: string, { columns, rows }: TableData): void {
  const database = new DatabaseSync(path)
  try {
    database.exec(`PRAGMA max_page_count = ${MOST_PAGES}; PRAGMA synchronous = OFF; BEGIN`)
    const table = quoteName(name)
    const definitions = columns.map((column) => `${quoteName(column.name)} ${column.type}`)
    database.exec(
      `DROP TABLE IF EXISTS ${table}; CREATE TABLE ${table} (${definitions.join(', ')})`,
    )
    const places = columns.map(() => '?').join(', ')
    const insert = database.prepare(`INSERT INTO ${table} VALUES (${places})`)
    for (const row of rows) insert.run(...row)
    database.exec('COMMIT')
  } catch (error) {
    throw isFull(error) ? tooLarge() : error
  } finally {
    database.close()
  }
}

/** SQLITE_FULL: the page limit was met. */
function isFull(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 13
}

function tooLarge(): ToolError {
  return new ToolError('VALIDATION', "The session's tables would take more than 64 MiB together.", {
    details: { limit: MOST_PAGES * 4096 },
  })
}
