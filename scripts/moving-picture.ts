import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import xterm, { type IBufferCell } from '@xterm/headless'
import { settledWorkbench, withoutSession } from './frames-of-page.ts'
import { PROJECT } from './run-command.ts'
import {
  type CellStyle,
  type StyledFrame,
  type StyledRun,
} from '../src/workbench/playground/snapshot/read-frame.ts'
import { writeSvg } from '../src/workbench/playground/snapshot/write-svg.ts'
import {
  runInTerminal,
  type TerminalStep,
} from '../tests/workbench/playground/terminal/run-in-terminal.ts'

const SIZE = { columns: 120, rows: 34 }

/** One scene: what is typed, what the screen must show then, and for how many seconds the picture shows it. */
interface Scene {
  readonly type?: string
  readonly shows?: string
  readonly seconds: number
}

/** The first things that a stranger does: says something, and looks at what a model is sent. */
const SCENES: readonly Scene[] = [
  { shows: 'on/off', seconds: 2.5 },
  { type: '>which region sold most?', shows: 'sold most?', seconds: 2 },
  { type: '\r', shows: 'turn 1 ended', seconds: 6 },
  { type: '\x1b', seconds: 0.5 },
  { type: '5', seconds: 5 },
]

/** Milliseconds without a byte after which a screen is complete. */
const QUIET_MS = 500

/** Records a conversation with the built command on a real terminal, and returns it as a moving picture. */
export async function takeMovingPicture(): Promise<string> {
  const cwd = settledWorkbench('moving-picture')
  const home = join(cwd, 'home')
  mkdirSync(home)
  const steps = SCENES.flatMap(({ type, shows }): readonly TerminalStep[] => [
    ...(type === undefined ? [] : [{ type }]),
    ...(shows === undefined ? [] : [{ wait: shows }]),
    { keep: QUIET_MS },
  ])
  const play = ['play', 'workbench', '--trust', '--agent', 'assistant']
  const { kept, left } = await runInTerminal(
    [process.execPath, join(PROJECT, 'bin/loadout.js'), ...play],
    [...steps, { type: '\x1bq' }],
    { cwd, env: { HOME: home, COLORTERM: 'truecolor' }, ...SIZE },
  )
  if (kept.length < SCENES.length) throw new Error(`Not reached: ${JSON.stringify(left)}`)
  const frames = await Promise.all(kept.map(drawn))
  return withoutSession(movingSvg(frames))
}

/** Draws what was written to a terminal. */
async function drawn(written: string): Promise<StyledFrame> {
  const { columns, rows } = SIZE
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true })
  await new Promise<void>((resolve) => terminal.write(written, resolve))
  const { active } = terminal.buffer
  const lines = Array.from({ length: rows }, (_, row) => {
    const line = active.getLine(active.viewportY + row)
    const runs: StyledRun[] = []
    for (let column = 0; column < columns; column += 1) {
      const cell = line?.getCell(column)
      const width = cell?.getWidth() ?? 0
      if (cell === undefined || width === 0) continue
      const style = styleOf(cell)
      const text = cell.getChars() === '' ? ' ' : cell.getChars()
      const last = runs.at(-1)
      const isSame = last !== undefined && JSON.stringify(last.style) === JSON.stringify(style)
      if (isSame && width === 1) {
        runs.splice(-1, 1, { ...last, text: last.text + text, columns: last.columns + 1 })
      } else runs.push({ text, style, column, columns: width })
    }
    return runs
  })
  terminal.dispose()
  return { columns, rows: lines }
}

function styleOf(cell: IBufferCell): CellStyle {
  return {
    colour: colourOf(cell.isFgRGB(), cell.isFgDefault(), cell.getFgColor()),
    background: colourOf(cell.isBgRGB(), cell.isBgDefault(), cell.getBgColor()),
    bold: cell.isBold() !== 0,
    dim: cell.isDim() !== 0,
    italic: cell.isItalic() !== 0,
    underline: cell.isUnderline() !== 0,
    strike: cell.isStrikethrough() !== 0,
    inverse: cell.isInverse() !== 0,
  }
}

function colourOf(isRgb: boolean, isDefault: boolean, colour: number): CellStyle['colour'] {
  if (isDefault) return null
  return isRgb ? `#${colour.toString(16).padStart(6, '0')}` : colour
}

/**
 * Shows one frame after the other, for ever; the last one where a person wants no movement. A program that knows no
 * animation shows the first one: the others are hidden by their attribute, which an animation overrides.
 */
function movingSvg(frames: readonly StyledFrame[]): string {
  const pictures = frames.map((frame) => writeSvg(frame, 'Loadout, the playground'))
  const [, size = ''] =
    /^<svg xmlns="[^"]*" (viewBox="[^"]*" width="[^"]*" height="[^"]*")/u.exec(pictures[0] ?? '') ??
    []
  const total = SCENES.reduce((sum, { seconds }) => sum + seconds, 0)
  let from = 0
  const rules = SCENES.map(({ seconds }, index) => {
    const percent = (at: number) => `${Number(((100 * at) / total).toFixed(3))}%`
    const [start, end] = [percent(from), percent(from + seconds)]
    from += seconds
    const shown = `${start}{visibility:visible}`
    const before = index === 0 ? '' : '0%{visibility:hidden}'
    const after = index === SCENES.length - 1 ? '' : `${end}{visibility:hidden}`
    return `@keyframes f${index}{${before}${shown}${after}}\n#f${index}{animation:f${index} ${total}s step-end infinite}`
  })
  const still = `@media (prefers-reduced-motion:reduce){g[id]{animation:none!important;visibility:hidden}#f${frames.length - 1}{visibility:visible}}`
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img">
<title>A conversation in the playground of Loadout: a question, a skill that arrives, the request of a model</title>
<style>
${rules.join('\n')}
${still}
</style>
${pictures.map((picture, index) => `<g id="f${index}"${index === 0 ? '' : ' visibility="hidden"'}>\n${picture}</g>`).join('\n')}
</svg>
`
}
