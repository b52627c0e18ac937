import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { displayWidth } from '../../../../src/kernel/display-width.ts'
import {
  deleteAfter,
  deleteBefore,
  fieldSpans,
  insertText,
  moveCursor,
  type TextField,
} from '../../../../src/workbench/playground/text/text-field.ts'

describe('field spans', () => {
  test.each([
    ['{"file": "|"}', 30, '{"file": "|"}'],
    ['{"file": "0123456789|"}', 16, '…"0123456789|"}'],
    ['{"file": "|0123456789"}', 16, '…file": "|0123456789"}'],
  ])('%s in %i columns shows the part around the cursor', (written, width, shown) => {
    const theme = { ascii: false, colour: false }
    const field = { text: written.replace('|', ''), cursor: written.indexOf('|') }
    const spans = fieldSpans(field, width, theme)
    expect(spans.map(({ text }) => text).join('')).toBe(shown)
  })

  test('the cursor is always in view', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.nat(),
        fc.integer({ min: 8, max: 60 }),
        (text, at, width) => {
          const before = [...new Intl.Segmenter().segment(text)].map(({ index }) => index)
          const cursor = before[at % Math.max(1, before.length)] ?? 0
          const [head] = fieldSpans({ text, cursor }, width, { ascii: false, colour: true })
          expect(displayWidth(head?.text ?? '')).toBeLessThan(width)
        },
      ),
    )
  })
})

describe('text field', () => {
  /** A field written with `|` where the cursor is. */
  const field = (written: string): TextField => ({
    text: written.replace('|', ''),
    cursor: written.indexOf('|'),
  })

  const write = ({ text, cursor }: TextField) => `${text.slice(0, cursor)}|${text.slice(cursor)}`

  test.each<[string, string, (now: TextField) => TextField]>([
    ['a|b', 'axy|b', (now) => insertText(now, 'xy')],
    ['a|b', 'a1 2|b', (now) => insertText(now, '1\r\n2')],
    ['ab|', 'ab|', (now) => moveCursor(now, 1)],
    ['|ab', '|ab', (now) => moveCursor(now, -1)],
    ['a👨‍👩‍👧|b', 'a|👨‍👩‍👧b', (now) => moveCursor(now, -1)],
    ['a|👨‍👩‍👧b', 'a👨‍👩‍👧|b', (now) => moveCursor(now, 1)],
    ['ae\u0301|b', 'a|b', deleteBefore],
    ['|ab', '|ab', deleteBefore],
    ['a|👨‍👩‍👧b', 'a|b', deleteAfter],
    ['ab|', 'ab|', deleteAfter],
  ])('%s becomes %s', (from, to, change) => {
    expect(write(change(field(from)))).toBe(to)
  })

  test('typing a text and deleting it again changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), fc.string(), (typed, before) => {
        const start = { text: before, cursor: before.length }
        let now = insertText(start, `x${typed}`)
        for (let left = 0; left <= typed.length; left += 1) now = deleteBefore(now)
        expect(now).toEqual(start)
      }),
    )
  })
})
