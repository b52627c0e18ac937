import fc from 'fast-check'
import { type Key, Text, useInput } from 'ink'
import { createElement } from 'react'
import { describe, expect, test } from 'vitest'
import {
  keyName,
  readStrokes,
  typedText,
} from '../../../../src/workbench/playground/keys/key-name.ts'
import { realScreen } from '../real-screen.ts'

describe('key name', () => {
  test.each([
    ['j', 'j'],
    ['+', '+'],
    ['G', 'G'],
    ['space', 'Space'],
    ['pagedown', 'PgDn'],
    ['ctrl+c', 'Ctrl-C'],
    ['shift+tab', 'Shift-Tab'],
  ])('%s is shown as %s', (stroke, name) => {
    expect(keyName(stroke)).toBe(name)
  })
})

describe('read strokes', () => {
  /** The strokes of bytes, by way of Ink on a terminal. */
  async function strokesOfBytes(bytes: string): Promise<readonly string[]> {
    const strokes: string[] = []
    function Listener() {
      useInput((input, key) => void strokes.push(...readStrokes(input, key)))
      return createElement(Text, null, 'ready')
    }
    const { press } = await realScreen(createElement(Listener), 20, 5)
    await press(bytes)
    return strokes
  }

  test.each([
    ['a letter', 'j', ['j']],
    ['keys that arrive joined', 'jj', ['j', 'j']],
    ['a filter and enter in one piece', '/ab c\r', ['/', 'a', 'b', 'space', 'c', 'enter']],
    ['enter', '\r', ['enter']],
    ['tab', '\t', ['tab']],
    ['two tabs joined', '\t\t', ['tab', 'tab']],
    ['tab backwards', '\x1b[Z', ['shift+tab']],
    ['an arrow', '\x1b[A', ['up']],
    ['arrows and letters joined', '\x1b[Bk\x1b[B', ['down', 'k', 'down']],
    ['an arrow in application mode', '\x1bOA', ['up']],
    ['a page', '\x1b[6~', ['pagedown']],
    ['home and end', '\x1b[H\x1b[F', ['home', 'end']],
    ['control and a letter', '\x03', ['ctrl+c']],
    ['control and a letter among others', 'j\x0cj', ['j', 'ctrl+l', 'j']],
    ['escape alone', '\x1b', ['esc']],
    ['escape and a letter joined', '\x1bj', ['esc', 'j']],
    ['a space', ' ', ['space']],
    ['backspace, held', '\x7f\x7f', ['backspace', 'backspace']],
    ['a capital letter', 'G', ['G']],
    ['a letter of several code points', 'e\u0301👩‍👩‍👧', ['e\u0301', '👩‍👩‍👧']],
    ['a key without a meaning here', '\x1b[15~', []],
  ])('%s', async (_what, bytes, strokes) => {
    expect(await strokesOfBytes(bytes)).toEqual(strokes)
  })

  const NO_KEY = {} as Key

  test('text means the same whether it arrives in one piece or letter by letter', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('j', 'ü', '漢', '\r', '\t', ' ', ':')), (letters) => {
        const joined = readStrokes(letters.join(''), NO_KEY)
        expect(joined).toEqual(letters.flatMap((letter) => readStrokes(letter, NO_KEY)))
      }),
    )
  })

  test('the release of a key means nothing', () => {
    expect(readStrokes('j', { eventType: 'release' } as Key)).toEqual([])
  })

  test.each([
    ['j', 'j'],
    ['space', ' '],
    ['👩‍👩‍👧', '👩‍👩‍👧'],
    ['enter', null],
    ['ctrl+c', null],
  ])('%s types %j', (stroke, typed) => {
    expect(typedText(stroke)).toBe(typed)
  })
})
