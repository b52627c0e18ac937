/** A movement of the cursor of a list. */
export type Move = 'up' | 'down' | 'page-up' | 'page-down' | 'first' | 'last'

/** Returns the row the cursor is on: the chosen one, or the first while that is not listed. */
export function selectedRow(rows: readonly string[], selected: string | null): string | null {
  return selected !== null && rows.includes(selected) ? selected : (rows[0] ?? null)
}

/** Returns the id of the row after a move, which stops at both ends; null in an empty list. */
export function moveSelection(
  rows: readonly string[],
  selected: string | null,
  move: Move,
  page: number,
): string | null {
  const last = rows.length - 1
  const at = Math.max(0, selected === null ? 0 : rows.indexOf(selected))
  const to = Math.min(last, Math.max(0, at + countStep(move, Math.max(1, page), rows.length)))
  return rows[to] ?? null
}

function countStep(move: Move, page: number, count: number): number {
  switch (move) {
    case 'up':
      return -1
    case 'down':
      return 1
    case 'page-up':
      return -page
    case 'page-down':
      return page
    case 'first':
      return -count
    case 'last':
      return count
  }
}
