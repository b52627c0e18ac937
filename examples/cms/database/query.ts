import type { DatabaseSync, SQLInputValue } from 'node:sqlite'

/** The rows of a query, as plain objects. `Row` is what its columns come to: nothing checks that. */
export function allRows<Row>(
  database: DatabaseSync,
  sql: string,
  ...values: readonly SQLInputValue[]
): readonly Row[] {
  const rows = database.prepare(sql).all(...values)
  return rows.map((row) => ({ ...row }) as Row)
}

/** The first row of a query, if there is one. */
export function firstRow<Row>(
  database: DatabaseSync,
  sql: string,
  ...values: readonly SQLInputValue[]
): Row | undefined {
  return allRows<Row>(database, sql, ...values)[0]
}
