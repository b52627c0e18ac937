/** The pane whose cursor is the moment shown. */
export const TIMELINE = 'timeline'

/** The id of an entry's row. */
export function entryRow(seq: number): string {
  return `${seq}`
}

/** The entry of a row; null for no row. */
export function entryOf(row: string | null): number | null {
  return row === null || !/^\d+$/v.test(row) ? null : Number(row)
}
