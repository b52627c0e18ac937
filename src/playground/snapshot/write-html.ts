import { graphemes } from '../../kernel/graphemes.ts'
import { escapeMarkup } from './escape-markup.ts'
import { INK, PAPER, shownColours } from './shown-colours.ts'
import type { CellStyle, StyledFrame, StyledRun } from './styled-frame.ts'

/** A frame as one page that loads nothing and runs nothing. */
export function writeHtml({ rows, columns }: StyledFrame, title: string): string {
  const lines = rows.map((runs) => runs.map(span).join(''))
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${escapeMarkup(title)}</title>
<style>
body { background: ${PAPER}; color: ${INK} }
pre { font: 14px/1.25 ui-monospace, Menlo, Consolas, monospace; width: ${columns}ch }
i.wide { display: inline-block; font-style: inherit; width: 2ch }
</style>
<pre>
${lines.join('\n')}
</pre>
</html>
`
}

function span({ text, style, columns }: StyledRun): string {
  const escaped = escapeMarkup(text)
  const isWide = columns === 2 && [...graphemes(text)].length === 1
  const letters = isWide ? wide(escaped) : escaped
  const css = cssOf(style)
  return css === '' ? letters : `<span style="${css}">${letters}</span>`
}

/** Fonts differ in how wide they draw a wide letter. */
function wide(letters: string): string {
  return `<i class="wide">${letters}</i>`
}

function cssOf(style: CellStyle): string {
  const { colour, background } = shownColours(style)
  const lines = [style.underline && 'underline', style.strike && 'line-through']
  const decoration = lines.filter((line) => line !== false).join(' ')
  return [
    colour !== INK && `color:${colour}`,
    background !== null && `background:${background}`,
    style.bold && 'font-weight:bold',
    style.dim && 'opacity:.65',
    style.italic && 'font-style:italic',
    decoration !== '' && `text-decoration:${decoration}`,
  ]
    .filter((rule) => rule !== false)
    .join(';')
}
