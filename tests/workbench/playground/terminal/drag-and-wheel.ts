import fc from 'fast-check'
import { createElement } from 'react'
import { expect, onTestFinished } from 'vitest'
import type { PlaygroundContext } from '../../../../src/workbench/playground/context/playground-context.ts'
import { currentLayout } from '../../../../src/workbench/playground/context/screen-layout.ts'
import { handleMouse } from '../../../../src/workbench/playground/keys/handle-strokes.ts'
import { PANES } from '../../../../src/workbench/playground/panes/panes.ts'
import { Screen } from '../../../../src/workbench/playground/screen/screen.tsx'
import { holdTerminal } from '../../../../src/workbench/playground/terminal/hold-terminal.tsx'
import { displayWidth } from '../../../../src/kernel/display-width.ts'
import { requestText } from '../../../../src/render/ink/parts/request-text.ts'
import { createRowHits, RowHitsContext } from '../../../../src/render/ink/parts/row-hits.ts'
import { aPlayground, TABLE } from '../a-playground.ts'
import { FakeInput, FakeOutput } from '../fake-terminal.ts'
import { realScreen } from '../real-screen.ts'

export const SIZES = [
  [160, 45],
  [120, 36],
  [100, 30],
  [80, 24],
  [50, 16],
] as const

type Size = readonly [columns: number, rows: number]

/** The smallest screen that shows panes. */
const SMALLEST: Size = [24, 8]

const THEME = { ascii: false, colour: false }

/** More than a pane has rows. */
const SKILLS = Array.from({ length: 40 }, (_, at) => ({
  name: `skill-${at}`,
  description: `The skill ${at}.`,
  instructions: `Do ${at}.`,
}))

/** The screen of the product on a terminal. */
async function aTerminal([columns, rows]: Size) {
  const { context, workspace } = await aPlayground(SKILLS)
  await workspace.activateSkill('skill-3')
  const input = new FakeInput()
  const output = new FakeOutput(columns, rows)
  const hits = createRowHits()
  const terminal = holdTerminal({
    stdin: input,
    stdout: Object.assign(output, { fd: -1 }) as never,
    stderr: new FakeOutput(10, 10) as never,
    env: {},
    inline: false,
    mouse: true,
    screenReader: false,
    onMouse: (event) => handleMouse(event, context, TABLE, hits),
    onLine() {},
    close: async () => {},
  })
  const screen = createElement(Screen, { context, table: TABLE, theme: THEME })
  const shown = terminal.show(createElement(RowHitsContext, { value: hits }, screen))
  onTestFinished(async () => {
    terminal.actions.exit()
    await shown
  })
  const price = await context.readNext()
  // The price of the request comes after the first frame.
  await expect.poll(() => output.screen()).toContain(price === null ? '' : requestText(price))
  return { context, input, output }
}

/** Draws the state of a screen on another terminal, on which nothing was drawn before. */
async function drawnAfresh(context: PlaygroundContext, [columns, rows]: Size): Promise<string> {
  const tree = createElement(Screen, { context, table: TABLE, theme: THEME })
  const { screen, unmount } = await realScreen(tree, columns, rows)
  const text = screen()
  await unmount()
  return text
}

/** Lists what is wrong with the rows of a screen and with the frames of its panes. */
function brokenRows(context: PlaygroundContext, output: FakeOutput): readonly string[] {
  const { columns, rows } = output
  const lines = Array.from({ length: output.emulator.buffer.active.length }, (_, row) =>
    cellsOf(output, row),
  )
  const wrong: string[] = []
  if (lines.length !== rows) wrong.push(`${lines.length} rows on a terminal of ${rows}`)
  for (const [row, cells] of lines.entries()) {
    const width = displayWidth(cells.join('').trimEnd())
    if (width > columns) wrong.push(`row ${row} has ${width} columns of ${columns}`)
  }
  const areas = currentLayout(context, PANES, { columns, rows })?.panes ?? []
  for (const { pane, left, top, width, height } of areas) {
    const [right, bottom] = [left + width - 1, top + height - 1]
    const expected: [row: number, column: number, letter: string][] =
      height === 1
        ? [
            [top, left, '─'],
            [top, right, '─'],
          ]
        : [
            [top, left, '╭'],
            [top, right, '╮'],
            [bottom, left, '╰'],
            [bottom, right, '╯'],
          ]
    for (let row = top + 1; row < bottom; row += 1) {
      expected.push([row, left, '│'], [row, right, '│'])
    }
    for (const [row, column, letter] of expected) {
      const found = lines[row]?.[column]
      if (found !== letter) wrong.push(`${pane.id}: "${found}" at ${column},${row}, not ${letter}`)
    }
  }
  return wrong
}

function cellsOf({ emulator, columns }: FakeOutput, row: number): readonly string[] {
  const line = emulator.buffer.active.getLine(row)
  // The cell after a wide letter is empty.
  return Array.from({ length: columns }, (_, column) => line?.getCell(column)?.getChars() || ' ')
}

const step = fc.record({
  by: fc.tuple(fc.integer({ min: -40, max: 20 }), fc.integer({ min: -20, max: 10 })),
  /** Keys that leave the focus where it is. */
  keys: fc.constantFrom('', '', 'j', 'k', 'G', 'g', '\x1b[6~', '\x1b[5~'),
  /** The terminal has its size before the program knows: what it writes meanwhile is broken. */
  isLate: fc.boolean(),
})

const drag = fc.array(step, { minLength: 3, maxLength: 12 })

/**
 * Drags the corner of a terminal so many times; each drag has several sizes, and ends at one of them. Returns what is
 * wrong with the screen after each.
 */
export async function dragCorner([columns, rows]: Size, count: number): Promise<readonly string[]> {
  const { context, input, output } = await aTerminal([columns, rows])
  const wrong = watchScreen(context, output)
  for (const steps of fc.sample(drag, { numRuns: count, seed: columns })) {
    let size: Size = [columns, rows]
    for (const { by, keys, isLate } of steps) {
      size = [Math.max(SMALLEST[0], columns + by[0]), Math.max(SMALLEST[1], rows + by[1])]
      if (isLate) output.emulator.resize(...size)
      else output.resize(...size)
      if (keys !== '') input.push(keys)
      // Some of the keys are drawn at a size that the terminal no longer has.
      await new Promise((resolve) => setImmediate(resolve))
    }
    // A list that was scrolled stays where it was; at its start it looks as a new one.
    input.push('g')
    output.resize(...size)
    await expect.poll(() => context.ui.getState().size).toEqual({ columns: size[0], rows: size[1] })
    const fresh = await drawnAfresh(context, size)
    await expect.poll(() => output.screen()).toBe(fresh)
    wrong.look()
  }
  return wrong.found
}

/** Collects what is wrong with the rows of a screen, and where its focus moved. */
function watchScreen(context: PlaygroundContext, output: FakeOutput) {
  const { focus, list } = context.ui.getState()
  const found: string[] = []
  return {
    found,
    look() {
      found.push(...brokenRows(context, output))
      const now = context.ui.getState()
      if (now.focus !== focus || now.list !== list) found.push(`focus ${now.focus}, ${now.list}`)
    },
  }
}

interface Turn {
  /** Shares of the screen. */
  readonly column: number
  readonly row: number
  readonly notches: number
}

const turn: fc.Arbitrary<Turn> = fc.record({
  column: fc.double({ min: 0, max: 1, noNaN: true }),
  row: fc.double({ min: 0, max: 1, noNaN: true }),
  notches: fc.integer({ min: 1, max: 8 }),
})

const turns = fc.array(turn, { minLength: 2, maxLength: 6 })

const [UP, DOWN] = [64, 65]

/** A place in the list of skills, which is longer than its pane. */
const SKILL_LIST = { column: 0.05, row: 0.2, notches: 2 }

/**
 * Turns the wheel over the list of skills and other places so many times, there and back. Returns what is wrong with
 * the screen after each.
 */
export async function turnWheel([columns, rows]: Size, count: number): Promise<readonly string[]> {
  const { context, input, output } = await aTerminal([columns, rows])
  const wrong = watchScreen(context, output)
  const { panes } = context.ui.getState()
  const fresh = await drawnAfresh(context, [columns, rows])
  const turnAt = (button: number, { column, row, notches }: Turn) => {
    const [x, y] = [1 + Math.floor(column * (columns - 1)), 1 + Math.floor(row * (rows - 1))]
    input.push(`\x1b[<${button};${x};${y}M`.repeat(notches))
  }
  for (const others of fc.sample(turns, { numRuns: count, seed: rows })) {
    const places = [...others, SKILL_LIST]
    for (const place of places) turnAt(DOWN, place)
    await expect.poll(() => output.screen()).not.toBe(fresh)
    wrong.look()
    for (const place of places) turnAt(UP, place)
    await expect.poll(() => output.screen()).toBe(fresh)
    wrong.look()
    expect(context.ui.getState().panes).toEqual(panes)
  }
  return wrong.found
}

/** Turns the wheel by five notches at once over the list of skills. */
export async function turnAtOnce(): Promise<FakeOutput> {
  const { input, output } = await aTerminal([160, 32])
  input.push(`\x1b[<${DOWN};5;5M`.repeat(5))
  return output
}
