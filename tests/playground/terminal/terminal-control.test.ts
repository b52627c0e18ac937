import { expect, test } from 'vitest'
import { createRestore } from '../../../src/playground/terminal/terminal-control.ts'

function aTerminal(alternateScreen: boolean) {
  const done: string[] = []
  return {
    done,
    alternateScreen,
    writeSync: (text: string) => void done.push(text),
    setRawMode: (isRaw: boolean) => void done.push(`raw ${isRaw}`),
  }
}

test('mouse, drawing and paste modes go off, the cursor is shown, raw mode ends; once', () => {
  const terminal = aTerminal(true)
  const restore = createRestore(terminal)
  restore()
  restore()
  expect(terminal.done).toEqual([
    '\x1b[?1006l\x1b[?1000l\x1b[?2026l\x1b[?2004l\x1b[0m\x1b[?25h\x1b[?1049l',
    'raw false',
  ])
})

test('an inline screen does not leave the alternate screen', () => {
  const terminal = aTerminal(false)
  createRestore(terminal)()
  expect(terminal.done[0]).not.toContain('1049')
})

test('of a closed window everything that still can be is restored', () => {
  const terminal = aTerminal(true)
  const restore = createRestore({
    ...terminal,
    writeSync() {
      throw Object.assign(new Error('write EIO'), { code: 'EIO' })
    },
  })
  expect(restore).not.toThrow()
  expect(terminal.done).toEqual(['raw false'])
})
