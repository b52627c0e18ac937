/** A column of a table. */
export interface Column {
  /** Columns of the screen, with the gap after it. */
  readonly width: number
  /** Takes what is left over; several share it. */
  readonly grows?: boolean
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
  const growing = columns.filter((column) => kept.has(column) && column.grows === true)
  const left = width - sum()
  return columns.map((column) => {
    if (!kept.has(column)) return 0
    const place = growing.indexOf(column)
    if (place < 0 || growing.length === 0) return column.width
    const share = Math.floor(left / growing.length)
    const rest = place === growing.length - 1 ? left - share * (growing.length - 1) : share
    return Math.max(0, column.width + rest)
  })
}
