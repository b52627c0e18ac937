import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  applySgr,
  PLAIN,
  readFrame,
} from '../../../../src/workbench/playground/snapshot/read-frame.ts'

test.each([
  { codes: [1, 31], style: { bold: true, colour: 1 } },
  { codes: [97, 104], style: { colour: 15, background: 12 } },
  { codes: [38, 5, 196], style: { colour: '#ff0000' } },
  { codes: [48, 5, 232], style: { background: '#080808' } },
  { codes: [38, 2, 1, 2, 255, 3], style: { colour: '#0102ff', italic: true } },
  { codes: [7, 4, 9, 2], style: { inverse: true, underline: true, strike: true, dim: true } },
  { codes: [1, 31, 22, 39], style: {} },
  { codes: [1, 2, 3, 0], style: {} },
  { codes: [1, 31, 5, 999], style: { bold: true, colour: 1 } },
])('the parameters $codes result in $style', ({ codes, style }) => {
  expect(applySgr(PLAIN, codes)).toEqual({ ...PLAIN, ...style })
})

test('a frame is read as runs on a grid, wide letters alone in two columns', () => {
  const { rows } = readFrame('a \x1b[1mb中c\x1b[22m\n\x1b[32mx', 10)
  expect(
    rows.map((runs) => runs.map(({ style, ...run }) => ({ ...run, bold: style.bold }))),
  ).toEqual([
    [
      { text: 'a ', column: 0, columns: 2, bold: false },
      { text: 'b', column: 2, columns: 1, bold: true },
      { text: '中', column: 3, columns: 2, bold: true },
      { text: 'c', column: 5, columns: 1, bold: true },
    ],
    [{ text: 'x', column: 0, columns: 1, bold: false }],
  ])
})

test('whatever a frame holds, no control character is left in it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const shown = readFrame(`\x1b[1m${text}`, 80).rows.flat()
      const all = shown.map(({ text }) => text).join('')
      expect(all).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
    }),
  )
})
