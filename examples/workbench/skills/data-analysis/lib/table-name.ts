import { posix } from 'node:path'
import { ToolError } from 'loadout'

/** The table a file becomes when no name is given: `data/sales 2026.csv` is `sales_2026`. */
export function tableName(file: string): string {
  const name = posix
    .parse(file)
    .name.replaceAll(/[^\p{L}\p{N}_]/gu, '_')
    .slice(0, 60)
  return /^[\p{L}_]/u.test(name) ? name : `t_${name}`
}

/** Refuse names that a query could not write plainly, or that SQLite keeps for itself. */
export function checkTableName(name: string): void {
  if (/^[\p{L}_][\p{L}\p{N}_]{0,62}$/u.test(name) && !/^sqlite_/i.test(name)) return
  throw new ToolError(
    'VALIDATION',
    `${JSON.stringify(name)} cannot name a table: use letters, digits and _, at most 63 of them.`,
  )
}
