/**
 * A small tree that a person reads about a session. It is built once from a reader, and `writers` has one writer each
 * for a terminal, JSON, Ink and HTML: they cannot disagree.
 */
export type Report = readonly ReportNode[]

/** A part of a report. */
export type ReportNode = ReportHeading | ReportText | ReportAction | ReportRows

/** A title. */
interface ReportHeading {
  readonly kind: 'heading'
  readonly text: string
  /** Its status. */
  readonly value?: TonedText
}

/** A line, or a whole text. */
export interface ReportText {
  readonly kind: 'text'
  readonly text: string
  /** True for what belongs to the line above. */
  readonly indented?: true
  /** True for a text that keeps its line breaks and blanks; any other becomes one line. */
  readonly isWhole?: true
  /** True for a line that a terminal cuts like a row. */
  readonly isCut?: true
}

/** The way to change it. */
interface ReportAction {
  readonly kind: 'action'
  readonly text: string
}

/**
 * Rows in columns, as a window: a row is read when it is written, and its cells are computed then. There may be
 * 10,000.
 */
export interface ReportRows<Row = unknown, Read = unknown, Value = unknown> {
  readonly kind: 'rows'
  /** The name of one: `tool`. */
  readonly of: string
  readonly columns: readonly ReportColumn<Read>[]
  readonly count: number
  row(index: number): Row
  /** Returns the name that the row has among the others. */
  identify(row: Row): string
  /** Returns the heading of a row where rows are under headings. */
  group?(row: Row): string
  /** Columns of the screen for its mark, with a gap. */
  readonly markWidth: number
  mark(row: Row): ReportMark
  /** Reads what the cells, and JSON, have of a row. */
  read(row: Row): Read
  /** Returns what JSON has of a row that was read. */
  json(read: Read): Value
  /** Explains a row. */
  about(row: Row): Report
  /** Counts some rows, all by default, in words. */
  summary(rows?: readonly Row[]): string
}

/** A column. */
export interface ReportColumn<Read> {
  readonly title: string
  readonly align?: 'right'
  cell(read: Read): ReportCell
  /** Its place in a table of the screen, which shows no other columns. Without a width it is as wide as its cells. */
  readonly screen?: { readonly width?: number; readonly grows?: number; readonly rank?: number }
  /** True for a column that a terminal without a screen does not have. */
  readonly screenOnly?: true
  /** True for a status, whose words a screen shortens before names: its mark says it, too. */
  readonly isStatus?: true
  /** True for the column that is the heading where rows are under headings. */
  readonly isGroup?: true
}

/** A count, null for one that is not known; or a text. */
type ReportCell = number | null | string | TonedText

/** The mark of a row on the screen. The cells express it too. */
export interface ReportMark {
  readonly glyph: 'active' | 'inactive' | 'pending' | 'unusable'
  readonly tone?: ReportTone
  /** A second mark; empty by default. */
  readonly note?: string
}

/** A text with its meaning, which its words express too: colour only helps. */
interface TonedText {
  readonly text: string
  readonly tone?: ReportTone | undefined
  readonly dim?: boolean
}

export type ReportTone = 'accent' | 'good' | 'asking' | 'bad' | 'warning' | 'price'

/** Returns the text of a cell. */
export function cellText(cell: ReportCell, writeCount: (count: number) => string): string {
  if (cell === null) return '?'
  if (typeof cell === 'number') return writeCount(cell)
  return typeof cell === 'string' ? cell : cell.text
}
