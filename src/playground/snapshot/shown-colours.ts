import type { CellColour, CellStyle } from './styled-frame.ts'

/** The sixteen colours, readable on `PAPER`. */
const PALETTE = [
  '#484f58',
  '#ff7b72',
  '#3fb950',
  '#d29922',
  '#58a6ff',
  '#bc8cff',
  '#39c5cf',
  '#b1bac4',
  '#6e7681',
  '#ffa198',
  '#56d364',
  '#e3b341',
  '#79c0ff',
  '#d2a8ff',
  '#56d4dd',
  '#f0f6fc',
]
export const INK = '#c9d1d9'
export const PAPER = '#0d1117'

/** What a style comes to on a page: colours as `#rrggbb`; null where nothing is painted behind. */
export function shownColours({ colour, background, inverse }: CellStyle): {
  readonly colour: string
  readonly background: string | null
} {
  const front = hexOf(colour)
  const behind = hexOf(background)
  if (!inverse) return { colour: front ?? INK, background: behind }
  return { colour: behind ?? PAPER, background: front ?? INK }
}

function hexOf(colour: CellColour | null): string | null {
  return typeof colour === 'number' ? (PALETTE[colour] ?? null) : colour
}
