import { createElement } from 'react'
import { expect, onTestFinished, test } from 'vitest'
import { handleMouse } from '../../../src/playground/keys/handle-strokes.ts'
import { Screen } from '../../../src/playground/screen/screen.tsx'
import { holdTerminal } from '../../../src/playground/terminal/hold-terminal.tsx'
import { requestText } from '../../../src/render/ink/parts/request-text.ts'
import { createRowHits, RowHitsContext } from '../../../src/render/ink/parts/row-hits.ts'
import { aPlayground, TABLE } from '../a-playground.ts'
import { FakeInput, FakeOutput } from '../fake-terminal.ts'

const SIZES = [
  [160, 45],
  [120, 36],
  [100, 30],
  [80, 24],
  [50, 16],
] as const

/** The screen of the product on a terminal that it is told about late, as by a signal. */
async function aTerminal(columns: number, rows: number) {
  const { context, workspace } = await aPlayground()
  await workspace.activateSkill('reporting')
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
  const theme = { ascii: false, colour: false }
  const screen = createElement(Screen, { context, table: TABLE, theme })
  const shown = terminal.show(createElement(RowHitsContext, { value: hits }, screen))
  onTestFinished(async () => {
    terminal.actions.exit()
    await shown
  })
  const until = async (is: () => boolean) => {
    while (!is()) await output.nextWrite()
  }
  const price = await context.readNext()
  // The price of the request comes after the first frame.
  await until(() => price !== null && output.screen().includes(requestText(price)))
  return { context, input, output, until }
}

test.each(SIZES)(
  'at %i x %i, 20 drags of a corner leave no broken row',
  async (columns, rows) => {
    const { context, output, until } = await aTerminal(columns, rows)
    const before = output.screen()
    const { focus } = context.ui.getState()
    for (let drag = 0; drag < 20; drag += 1) {
      for (let step = 1; step <= 10; step += 1) {
        // The terminal has its size before the program knows: what it writes meanwhile is broken.
        output.emulator.resize(columns + step - 2 * (drag % 7), Math.max(8, rows - step))
        output.emit('resize')
        context.ui.setState({ banner: null })
      }
      const written = output.written.length
      output.resize(columns, rows)
      await until(() => output.written.includes('\x1b[2J', written) && output.screen() === before)
    }
    expect(output.screen()).toBe(before)
    expect(context.ui.getState().focus).toBe(focus)
  },
  30_000,
)

test.each(SIZES)(
  'at %i x %i, 20 turns of the wheel move neither focus nor cursor, and break no row',
  async (columns, rows) => {
    const { context, input, output } = await aTerminal(columns, rows)
    const before = output.screen()
    const state = context.ui.getState()
    for (let turn = 0; turn < 20; turn += 1) {
      const column = 1 + ((turn * 37) % columns)
      const row = 2 + ((turn * 11) % (rows - 4))
      for (const button of [65, 65, 64, 64]) input.push(`\x1b[<${button};${column};${row}M`)
      await new Promise((resolve) => setImmediate(resolve))
      for (const line of output.screen().split('\n').slice(1, 4)) {
        expect(line.length).toBeLessThanOrEqual(columns)
      }
    }
    expect(context.ui.getState()).toMatchObject({ focus: state.focus, list: state.list })
    expect(context.ui.getState().panes).toEqual(state.panes)
    expect(output.screen().split('\n')).toHaveLength(before.split('\n').length)
  },
  30_000,
)
