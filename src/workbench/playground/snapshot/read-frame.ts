import { displayWidth, graphemes, sanitiseText } from '../../../entries/kit.ts'

/** A colour: one of the terminal's sixteen, by number, or `#rrggbb`. */
export type CellColour = number | `#${string}`

/** The style of a part of a line; a null colour is the terminal's default. */
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

/** Adjacent letters of one style. */
export interface StyledRun {
  readonly text: string
  readonly style: CellStyle
  /** Its first column, and the number of its columns. */
  readonly column: number
  readonly columns: number
}

/** The content of a terminal: rows of runs on a grid. */
export interface StyledFrame {
  readonly columns: number
  readonly rows: readonly (readonly StyledRun[])[]
}

/** An SGR sequence; no other control sequences belong in a frame. */
const SGR = /\p{Cc}\[([\d;]*)m/v

/**
 * Reads a frame of Ink (lines with SGR sequences) as cells of a grid.
 *
 * A wide letter is a run of its own, so that it can be drawn in exactly two columns. Other control
 * characters become visible text.
 */
export function readFrame(frame: string, columns: number): StyledFrame {
  let style = PLAIN
  const rows = frame.split('\n').map((line) => {
    const runs: StyledRun[] = []
    let column = 0
    for (const [at, part] of line.split(SGR).entries()) {
      if (at % 2 === 1) {
        style = applySgr(style, part === '' ? [] : part.split(';').map(Number))
        continue
      }
      for (const run of splitRuns(part, style, column)) {
        column = run.column + run.columns
        runs.push(run)
      }
    }
    return runs
  })
  return { columns, rows }
}

function* splitRuns(text: string, style: CellStyle, from: number): Generator<StyledRun> {
  let column = from
  let narrow = ''
  let narrowColumns = 0
  const take = (text: string, columns: number): StyledRun => {
    const run = { text, style, column, columns }
    column += columns
    return run
  }
  for (const letter of graphemes(sanitiseText(text).replaceAll(/[\n\t]/g, ' '))) {
    const width = displayWidth(letter)
    if (width === 1) {
      narrow += letter
      narrowColumns += 1
      continue
    }
    if (narrow !== '') yield take(narrow, narrowColumns)
    narrow = ''
    narrowColumns = 0
    yield take(letter, width)
  }
  if (narrow !== '') yield take(narrow, narrowColumns)
}

/** The levels of the colour cube of 256-colour terminals. */
const LEVELS = [0, 95, 135, 175, 215, 255]

/** The changes of single SGR parameters (`ESC [ … m`). */
const CHANGES: Readonly<Record<number, Partial<CellStyle>>> = {
  0: PLAIN,
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  9: { strike: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  24: { underline: false },
  27: { inverse: false },
  29: { strike: false },
  39: { colour: null },
  49: { background: null },
}

/** Applies an SGR sequence to a style; unknown parameters change nothing. */
export function applySgr(before: CellStyle, parameters: readonly number[]): CellStyle {
  let style = before
  const rest = parameters.length === 0 ? [0] : [...parameters]
  while (rest.length > 0) {
    const code = rest.shift() ?? 0
    if (code === 38 || code === 48) {
      const colour = longColour(rest)
      if (colour !== null) style = { ...style, [code === 38 ? 'colour' : 'background']: colour }
    } else {
      style = { ...style, ...(CHANGES[code] ?? shortColour(code)) }
    }
  }
  return style
}

/** `30` to `37` and `90` to `97` set the colour; 10 more sets the background. */
function shortColour(code: number): Partial<CellStyle> {
  if (code >= 30 && code <= 37) return { colour: code - 30 }
  if (code >= 90 && code <= 97) return { colour: code - 82 }
  if (code >= 40 && code <= 47) return { background: code - 40 }
  return code >= 100 && code <= 107 ? { background: code - 92 } : {}
}

/** Removes `5;n` or `2;r;g;b` from the parameters and returns its colour. */
function longColour(rest: number[]): CellColour | null {
  const kind = rest.shift()
  if (kind === 2) return hex(rest.splice(0, 3))
  if (kind !== 5) return null
  const index = Math.min(255, rest.shift() ?? 0)
  if (index < 16) return index
  if (index >= 232) return hex(Array.from({ length: 3 }, () => 8 + (index - 232) * 10))
  const cube = index - 16
  return hex([cube / 36, (cube / 6) % 6, cube % 6].map((at) => LEVELS[Math.floor(at)] ?? 0))
}

function hex(parts: readonly number[]): CellColour {
  const digits = [0, 1, 2].map((at) =>
    Math.min(255, parts[at] ?? 0)
      .toString(16)
      .padStart(2, '0'),
  )
  return `#${digits.join('')}`
}
