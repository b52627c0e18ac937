import { graphemes } from '../../../entries/kit.ts'
import { escapeMarkup } from '../../report/writers/escape-markup.ts'
import type { CellColour, CellStyle, StyledFrame, StyledRun } from './read-frame.ts'

/** The size of a cell in pixels. */
const CELL = { width: 8.4, height: 18 }

/** The margin around the picture in pixels. */
const MARGIN = 16

/** Pixels from the top of a cell to the baseline of its letters. */
const BASELINE = 13.5

/** Writes a frame as an SVG picture. Each text has a fixed width, so every font keeps to the grid. */
export function writeSvg({ rows, columns }: StyledFrame, title: string, isLight = false): string {
  const look = isLight ? LIGHT : DARK
  const width = round(columns * CELL.width + MARGIN * 2)
  const height = round(rows.length * CELL.height + MARGIN * 2)
  const runs = rows.flatMap((runs, row) => runs.map((run) => drawn(run, row, look)))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14">
<title>${escapeMarkup(title)}</title>
<rect width="100%" height="100%" rx="8" fill="${look.paper}"/>
<g fill="${look.ink}">
${runs.filter((run) => run !== '').join('\n')}
</g>
</svg>
`
}

function drawn(
  { text, style, column, columns }: StyledRun,
  row: number,
  look: typeof DARK,
): string {
  const y = round(MARGIN + row * CELL.height)
  const { colour, background } = shownColours(style, look)
  const place = `x="${left(column)}" y="${y}" width="${round(columns * CELL.width)}"`
  const behind =
    background === null ? '' : `<rect ${place} height="${CELL.height}" fill="${background}"/>`
  const lines = [style.underline && 'underline', style.strike && 'line-through']
  const decoration = lines.filter((line) => line !== false).join(' ')
  const attributes = [
    ' lengthAdjust="spacingAndGlyphs"',
    colour !== look.ink && ` fill="${colour}"`,
    style.bold && ' font-weight="bold"',
    style.dim && ' opacity=".65"',
    style.italic && ' font-style="italic"',
    decoration !== '' && ` text-decoration="${decoration}"`,
  ].filter((attribute) => attribute !== false)
  const letters = [...graphemes(text)].length
  const pieces = text.matchAll(SPACED).map(({ 0: piece, index }) => {
    const before = [...graphemes(text.slice(0, index))].length
    const width = round(([...graphemes(piece)].length * columns * CELL.width) / letters)
    const at = ` x="${left(column + before)}" y="${round(y + BASELINE)}" textLength="${width}"`
    return `<text${at}${attributes.join('')}>${escapeMarkup(piece)}</text>`
  })
  return [behind, ...pieces].join('')
}

/** Words with single blanks between them: browsers draw several blanks as one. */
const SPACED = /\S+(?: \S+)*/gu

function left(column: number): number {
  return round(MARGIN + column * CELL.width)
}

/** Rounds to tenths of a pixel, the same on every machine. */
function round(pixels: number): number {
  return Math.round(pixels * 10) / 10
}

/** Writes a frame as lines of plain text without trailing blanks. */
export function writeText({ rows }: StyledFrame): string {
  const lines = rows.map((runs) =>
    runs
      .map(({ text }) => text)
      .join('')
      .trimEnd(),
  )
  return `${lines.join('\n').trimEnd()}\n`
}

/** The sixteen colours, readable on a dark paper. On a light one, the theme uses none of them. */
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

const DARK = { ink: '#c9d1d9', paper: '#0d1117' }

const LIGHT: typeof DARK = { ink: '#1f2328', paper: '#ffffff' }

/** Returns the colours of a style as `#rrggbb`; null for no background. */
function shownColours(
  { colour, background, inverse }: CellStyle,
  { ink, paper }: typeof DARK,
): {
  readonly colour: string
  readonly background: string | null
} {
  const front = hexColour(colour)
  const behind = hexColour(background)
  if (!inverse) return { colour: front ?? ink, background: behind }
  return { colour: behind ?? paper, background: front ?? ink }
}

function hexColour(colour: CellColour | null): string | null {
  return typeof colour === 'number' ? (PALETTE[colour] ?? null) : colour
}
