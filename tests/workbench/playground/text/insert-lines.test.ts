import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import {
  insertLines,
  messageLines,
  moveLine,
} from '../../../../src/workbench/playground/text/insert-lines.ts'

const THEME = { ascii: false, colour: false }

describe('a message of several lines', () => {
  test('the cursor moves between lines, also to an empty first one', () => {
    expect(moveLine({ text: '\nabc', cursor: 3 }, -1)).toEqual({ text: '\nabc', cursor: 0 })
    expect(moveLine({ text: '\nabc', cursor: 0 }, 1)).toEqual({ text: '\nabc', cursor: 1 })
    expect(moveLine({ text: '\nabc', cursor: 0 }, -1)).toBeNull()
    expect(moveLine({ text: 'long line\nab\n', cursor: 7 }, 1)?.cursor).toBe(12)
  })

  test('down and up again is the same line, and each place is drawn', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', '\n'), { maxLength: 30 })
      .map((letters) => letters.join(''))
    fc.assert(
      fc.property(text, fc.nat(30), (written, at) => {
        const cursor = Math.min(at, written.length)
        const lineOf = (place: number) => written.slice(0, place).split('\n').length
        const down = moveLine({ text: written, cursor }, 1)
        if (down !== null) {
          expect(lineOf(down.cursor)).toBe(lineOf(cursor) + 1)
          expect(lineOf(moveLine(down, -1)?.cursor ?? -1)).toBe(lineOf(cursor))
        }
        const lines = messageLines({ text: written, cursor }, { width: 80, most: 99, theme: THEME })
        expect(lines).toHaveLength(written.split('\n').length)
        expect(lines.map((spans) => spans.map((span) => span.text).join('')).join('\n')).toContain(
          '|',
        )
      }),
    )
  })

  test('a text is inserted with line breaks of one kind', () => {
    expect(insertLines({ text: 'ab', cursor: 1 }, 'x\r\ny\rz')).toEqual({
      text: 'ax\ny\nzb',
      cursor: 6,
    })
  })
})
