import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  createMouseFilter,
  type MouseEvent,
  TerminalInput,
} from '../../../../src/workbench/playground/terminal/terminal-input.ts'
import { FakeInput } from '../fake-terminal.ts'

describe('mouse filter', () => {
  test.each([
    { input: '\x1b[<0;10;5M', text: '', events: [{ type: 'click', column: 9, row: 4 }] },
    { input: '\x1b[<64;1;1M', text: '', events: [{ type: 'wheel-up', column: 0, row: 0 }] },
    {
      input: '\x1b[<65;223;400M',
      text: '',
      events: [{ type: 'wheel-down', column: 222, row: 399 }],
    },
    // Ctrl held.
    { input: '\x1b[<16;2;2M', text: '', events: [{ type: 'click', column: 1, row: 1 }] },
    // A release, the right button, a drag, a sideways wheel.
    { input: '\x1b[<0;2;2m\x1b[<2;2;2M\x1b[<32;2;2M\x1b[<66;2;2M', text: '', events: [] },
    { input: 'j\x1b[<0;1;1Mk', text: 'jk', events: [{ type: 'click', column: 0, row: 0 }] },
    { input: '\x1b', text: '\x1b', events: [] },
    { input: '\x1b[A\x1b[200~', text: '\x1b[A\x1b[200~', events: [] },
  ])('of $input the keys $text and $events.length events come through', ({ input, ...out }) => {
    expect(createMouseFilter()(input)).toEqual(out)
  })

  test('the content of a paste is text', () => {
    const filter = createMouseFilter()
    const [begin, rest] = ['\x1b[200~\x1b[<0;1;1M\x1b[<0;', '1;1M\x1b[201~']
    const [first, second] = [filter(begin), filter(rest)]
    expect(first.text + second.text).toBe(begin + rest)
    expect([...first.events, ...second.events]).toEqual([])
    expect(filter('\x1b[<0;1;1M').events).toHaveLength(1)
  })

  test('no byte of a report gets through as a key, wherever a chunk ends after its start', () => {
    const report = fc
      .tuple(fc.constantFrom(0, 1, 2, 3, 64, 65, 35), fc.nat(300), fc.nat(300), fc.boolean())
      .map(([button, x, y, down]) => `\x1b[<${button};${x + 1};${y + 1}${down ? 'M' : 'm'}`)
    const cut = fc
      .tuple(report, fc.integer({ min: 3, max: 16 }))
      .map(([whole, at]) => ({ keys: '', chunks: [whole.slice(0, at), whole.slice(at)] }))
    const key = fc
      .constantFrom('j', '\x1b[A', 'é', '\r', '中', '\x1b')
      .map((keys) => ({ keys, chunks: [keys] }))
    fc.assert(
      fc.property(fc.array(fc.oneof(cut, key)), (parts) => {
        const filter = createMouseFilter()
        const texts = parts.flatMap(({ chunks }) => chunks).map((chunk) => filter(chunk).text)
        expect(texts.join('')).toBe(parts.map(({ keys }) => keys).join(''))
      }),
    )
  })
})

describe('terminal input', () => {
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

  /** The typed text, after all sent bytes were processed. */
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

  test('while the terminal is lent, no input is read', async () => {
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

  test('the end of the terminal is reported', async () => {
    const { terminal, input, gone } = anInput()
    input.setRawMode(true)
    terminal.push(null)
    await typed(input)
    expect(gone()).toBe(1)
  })
})
