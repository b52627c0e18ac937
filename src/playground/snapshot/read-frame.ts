import { displayWidth } from '../../kernel/display-width.ts'
import { graphemes } from '../../kernel/graphemes.ts'
import { sanitiseText } from '../../kernel/sanitise-text.ts'
import { applySgr } from './apply-sgr.ts'
import { PLAIN, type CellStyle, type StyledFrame, type StyledRun } from './styled-frame.ts'

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
