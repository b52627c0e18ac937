import { escapeMarkup } from './escape-markup.ts'
import { INK, PAPER, shownColours } from './shown-colours.ts'
import type { StyledFrame, StyledRun } from './styled-frame.ts'

/** Pixels of a cell, and of the margin around all. */
const CELL = { width: 8.4, height: 18 }
const MARGIN = 16
/** From the top of a cell down to where letters stand. */
const BASELINE = 13.5

/** A frame as a picture. Letters are told how wide to be, so every font keeps to the grid. */
export function writeSvg({ rows, columns }: StyledFrame, title: string): string {
  const width = round(columns * CELL.width + MARGIN * 2)
  const height = round(rows.length * CELL.height + MARGIN * 2)
  const runs = rows.flatMap((runs, row) => runs.map((run) => drawn(run, row)))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14">
<title>${escapeMarkup(title)}</title>
<rect width="100%" height="100%" rx="8" fill="${PAPER}"/>
<g fill="${INK}" xml:space="preserve">
${runs.filter((run) => run !== '').join('\n')}
</g>
</svg>
`
}

function drawn({ text, style, column, columns }: StyledRun, row: number): string {
  const x = round(MARGIN + column * CELL.width)
  const y = round(MARGIN + row * CELL.height)
  const width = round(columns * CELL.width)
  const { colour, background } = shownColours(style)
  const behind =
    background === null
      ? ''
      : `<rect x="${x}" y="${y}" width="${width}" height="${CELL.height}" fill="${background}"/>`
  if (text.trim() === '') return behind
  const lines = [style.underline && 'underline', style.strike && 'line-through']
  const decoration = lines.filter((line) => line !== false).join(' ')
  const attributes = [
    ` x="${x}" y="${round(y + BASELINE)}" textLength="${width}" lengthAdjust="spacingAndGlyphs"`,
    colour !== INK && ` fill="${colour}"`,
    style.bold && ' font-weight="bold"',
    style.dim && ' opacity=".65"',
    style.italic && ' font-style="italic"',
    decoration !== '' && ` text-decoration="${decoration}"`,
  ].filter((attribute) => attribute !== false)
  return `${behind}<text${attributes.join('')}>${escapeMarkup(text)}</text>`
}

/** Tenths of a pixel; no two machines write another number. */
function round(pixels: number): number {
  return Math.round(pixels * 10) / 10
}
