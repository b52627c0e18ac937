import type { ReactElement } from 'react'
import type { Theme } from './theme.ts'
import { WindowedRows } from './windowed-rows.tsx'

export interface WindowedListProps<Row extends { readonly id: string }> {
  readonly rows: readonly Row[]
  /** Id of the row the cursor is on; it is kept in view. */
  readonly selected: string | null
  readonly width: number
  /** Rows to scroll past, as far as the selection allows; without it the list stays where it is. */
  readonly scroll?: number | undefined
  /** Lines, those that say how much is hidden among them. */
  readonly height: number
  readonly theme?: Theme
  /** One line; asked only for rows in view. */
  renderRow(row: Row, selected: boolean): ReactElement
}

/** A list of rows with a cursor, of which only the part in view is drawn. */
export function WindowedList<Row extends { readonly id: string }>({
  rows,
  selected,
  renderRow,
  ...rest
}: WindowedListProps<Row>): ReactElement {
  return (
    <WindowedRows
      {...rest}
      count={rows.length}
      selected={selected === null ? -1 : rows.findIndex(({ id }) => id === selected)}
      keyOf={(index) => rows[index]?.id ?? String(index)}
      renderRow={(index) => {
        const row = rows[index]
        return row === undefined ? <></> : renderRow(row, row.id === selected)
      }}
    />
  )
}
