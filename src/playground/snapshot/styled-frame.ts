/** A colour: one of the terminal's sixteen, by number, or `#rrggbb`. */
export type CellColour = number | `#${string}`

/** How a piece of a line looks; null is the terminal's own colour. */
export interface CellStyle {
  readonly colour: CellColour | null
  readonly background: CellColour | null
  readonly bold: boolean
  readonly dim: boolean
  readonly italic: boolean
  readonly underline: boolean
  readonly strike: boolean
  readonly inverse: boolean
}

export const PLAIN: CellStyle = {
  colour: null,
  background: null,
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  strike: false,
  inverse: false,
}

/** Letters of one style side by side. */
export interface StyledRun {
  readonly text: string
  readonly style: CellStyle
  /** The column it begins in, and how many it takes. */
  readonly column: number
  readonly columns: number
}

/** What a terminal shows: rows of runs, on a grid of so many columns. */
export interface StyledFrame {
  readonly columns: number
  readonly rows: readonly (readonly StyledRun[])[]
}
