import fc from 'fast-check'
import { expect, test } from 'vitest'
import { displayWidth } from '../../../../src/kernel/display-width.ts'
import { cutText, fitText } from '../../../../src/render/ink/parts/fit-text.ts'
import { shareBar, shareText } from '../../../../src/render/ink/parts/format-count.ts'

const ASCII = { ascii: true, colour: false }
const UNICODE = { ascii: false, colour: false }

test.each([
  { text: 'pdf', columns: 5, fitted: 'pdf  ' },
  { text: 'pdf-tools', columns: 5, fitted: 'pdf-…' },
  { text: '검색도구', columns: 6, fitted: '검색… ' },
  { text: 'two\nlines', columns: 12, fitted: 'two lines   ' },
  { text: 'anything', columns: 0, fitted: '' },
])('$text in $columns columns is "$fitted"', ({ text, columns, fitted }) => {
  expect(fitText(text, columns)).toBe(fitted)
})

test('figures are aligned right, and ASCII cuts with another mark', () => {
  expect(fitText('12', 5, UNICODE, 'right')).toBe('   12')
  expect(cutText('pdf-tools', 5, ASCII)).toBe('pdf-~')
  expect(cutText('so…', 5, ASCII)).toBe('so…')
})

test('a fitted text has exactly the given width', () => {
  const text = fc.string({ unit: fc.constantFrom('a', ' ', '검', '🧰', 'e\u0301', '\u202E', '\n') })
  fc.assert(
    fc.property(text, fc.nat(30), fc.boolean(), (text, columns, ascii) => {
      expect(displayWidth(fitText(text, columns, { ascii, colour: false }))).toBe(columns)
    }),
  )
})

test.each([
  { part: 0, whole: 10, bar: '░░░░', text: '0%' },
  { part: 1, whole: 1000, bar: '█░░░', text: '<1%' },
  { part: 5, whole: 10, bar: '██░░', text: '50%' },
  { part: 10, whole: 10, bar: '████', text: '100%' },
  { part: 30, whole: 10, bar: '████', text: '300%' },
  { part: 0, whole: 0, bar: '░░░░', text: '0%' },
])('$part of $whole is $bar $text', ({ part, whole, bar, text }) => {
  expect([shareBar(part / whole, 4, UNICODE), shareText(part, whole)]).toEqual([bar, text])
})
