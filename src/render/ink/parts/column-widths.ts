/** A column of a table. */
export interface Column {
  /** Columns of the screen, with the gap after it. */
  readonly width: number
  /** Its part of what is left over; 0 by default. */
  readonly grows?: number
  /** Columns of the highest rank go first when there is no room; those of rank 0 never. */
  readonly rank: number
}

/** How wide each column is in so much room; 0 for one that is left out. */
export function columnWidths(columns: readonly Column[], width: number): number[] {
  const kept = new Set(columns)
  const sum = () => [...kept].reduce((total, column) => total + column.width, 0)
  while (sum() > width) {
    const [first, ...others] = [...kept].filter(({ rank }) => rank > 0)
    if (first === undefined) break
    kept.delete(others.reduce((least, one) => (one.rank >= least.rank ? one : least), first))
  }
  const weight = (column: Column) => (kept.has(column) ? (column.grows ?? 0) : 0)
  let left = Math.max(0, width - sum())
  let weights = columns.reduce((total, column) => total + weight(column), 0)
  return columns.map((column) => {
    if (!kept.has(column)) return 0
    const share = weights === 0 ? 0 : Math.floor((left * weight(column)) / weights)
    left -= share
    weights -= weight(column)
    return column.width + share
  })
}
