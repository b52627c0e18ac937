import { displayWidth, graphemes } from '../../kernel/display-width.ts'
import { sanitiseText } from '../../kernel/sanitise-text.ts'

/** A graphic rendition; all other control bytes have no place in a frame. */
const SGR = /\p{Cc}\[([\d;]*)m/v

/**
 * Read a frame of Ink (lines with graphic renditions) as cells of a grid.
 *
 * A wide letter is a run of its own, so that whoever draws it can keep it in its two columns.
 * Control characters that are no graphic rendition become visible text.
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
      for (const run of runsOf(part, style, column)) {
        column = run.column + run.columns
        runs.push(run)
      }
    }
    return runs
  })
  return { columns, rows }
}

function* runsOf(text: string, style: CellStyle, from: number): Generator<StyledRun> {
  let column = from
  let narrow = ''
  let narrowColumns = 0
  const take = (text: string, columns: number): StyledRun => {
    const run = { text, style, column, columns }
    column += columns
    return run
  }
  for (const letter of graphemes(visible(text))) {
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

function visible(text: string): string {
  return sanitiseText(text).replaceAll(/[\n\t]/g, ' ')
}

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

/** The levels of the colour cube of 256-colour terminals. */
const LEVELS = [0, 95, 135, 175, 215, 255]

/** What single parameters of a graphic rendition (`ESC [ … m`) change. */
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

/** The style after a graphic rendition; parameters nobody knows change nothing. */
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

/** `30` to `37` and `90` to `97` colour letters, ten more what is behind them. */
function shortColour(code: number): Partial<CellStyle> {
  if (code >= 30 && code <= 37) return { colour: code - 30 }
  if (code >= 90 && code <= 97) return { colour: code - 82 }
  if (code >= 40 && code <= 47) return { background: code - 40 }
  return code >= 100 && code <= 107 ? { background: code - 92 } : {}
}

/** Takes `5;n` or `2;r;g;b` off the parameters. */
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
