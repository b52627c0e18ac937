/** What a cell holds before SQLite gets it. */
export type Cell = string | number | null

export type ColumnType = 'INTEGER' | 'REAL' | 'TEXT'

export interface Column {
  readonly name: string
  readonly type: ColumnType
}

/** A table as read from a file, typed and ready to store. */
export interface TableData {
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly Cell[])[]
}

/** The size a table may have; what is larger is refused, never cut. */
export const MOST_ROWS = 100_000
export const MOST_COLUMNS = 200
