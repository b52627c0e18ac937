import { ToolError } from 'loadout'
import type { OpenTable, SessionTables } from './session-tables.ts'

/** An open table by name, in any case; `NOT_FOUND` tells which are open. */
export function findTable(session: SessionTables, name: string): OpenTable {
  const table = session.tables.get(name.toLowerCase())
  if (table === undefined) throw notOpen(session, `No table "${name}" is open.`)
  return table
}

/** All open tables, of which there must be one. */
export function someTables(session: SessionTables): readonly OpenTable[] {
  if (session.tables.size === 0) throw notOpen(session, 'No table is open in this session.')
  return [...session.tables.values()]
}

function notOpen({ tables }: SessionTables, what: string): ToolError {
  const open = [...tables.values()].map(({ name }) => name)
  const known = open.length === 0 ? 'open_table opens one.' : `Open: ${open.join(', ')}.`
  return new ToolError('NOT_FOUND', `${what} ${known}`, { details: { open } })
}
