import type { SQLOutputValue, StatementSync } from 'node:sqlite'
import { damageIn } from './sqlite-failure.ts'

/**
 * The rows of a statement one by one; a text for damage to the page that the next would be on,
 * and nothing after it.
 */
export function* rowsOf(
  statement: StatementSync,
  ...parameters: readonly (string | number)[]
): Generator<Readonly<Record<string, SQLOutputValue>> | string> {
  const rows = statement.iterate(...parameters)
  try {
    for (;;) {
      const next = nextRow(rows)
      if (next === null) return
      yield next
      if (typeof next === 'string') return
    }
  } finally {
    // Statements that are left half-way keep their hold on the database.
    rows.return?.()
  }
}

function nextRow(
  rows: Iterator<Readonly<Record<string, SQLOutputValue>>>,
): Readonly<Record<string, SQLOutputValue>> | string | null {
  try {
    const next = rows.next()
    return next.done === true ? null : next.value
  } catch (error) {
    const reason = damageIn(error)
    if (reason === null) throw error
    return reason
  }
}
