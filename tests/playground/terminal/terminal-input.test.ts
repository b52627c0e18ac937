import { expect, test } from 'vitest'
import { type MouseEvent, TerminalInput } from '../../../src/playground/terminal/terminal-input.ts'
import { FakeInput } from '../fake-terminal.ts'

function anInput() {
  const terminal = new FakeInput()
  const events: MouseEvent[] = []
  let gone = 0
  const input = new TerminalInput(terminal, {
    onMouse: (event) => events.push(event),
    onGone: () => (gone += 1),
  })
  input.setEncoding('utf8')
  return { terminal, input, events, gone: () => gone }
}

/** What was typed, once what was sent has gone through. */
async function typed(input: TerminalInput): Promise<string> {
  await new Promise(setImmediate)
  return input.read() ?? ''
}

test('keys come through and the mouse does not, letters of several bytes whole', async () => {
  const { terminal, input, events } = anInput()
  input.setRawMode(true)
  const [first, second] = [Buffer.from('中').subarray(0, 2), Buffer.from('中').subarray(2)]
  terminal.push('j\x1b[<0;3;4M')
  terminal.push(first)
  terminal.push(second)
  expect(await typed(input)).toBe('j中')
  expect(events).toEqual([{ type: 'click', column: 2, row: 3 }])
})

test('while the terminal is lent, nothing is taken from it', async () => {
  const { terminal, input } = anInput()
  input.setRawMode(true)
  input.setRawMode(false)
  terminal.push('for the editor')
  expect(await typed(input)).toBe('')
  expect(terminal.isPaused()).toBe(true)
  input.setRawMode(true)
  expect(await typed(input)).toBe('for the editor')
  expect(terminal.rawModes).toEqual([true, false, true])
})

test('the end of the terminal is told', async () => {
  const { terminal, input, gone } = anInput()
  input.setRawMode(true)
  terminal.push(null)
  await typed(input)
  expect(gone()).toBe(1)
})
