import { createElement } from 'react'
import { expect, test } from 'vitest'
import { Footnote, footnoteLines } from '../../../src/render/ink/parts/table-line.tsx'
import { DEFAULT_THEME } from '../../../src/render/ink/parts/theme.ts'
import { drawn } from './drawn.ts'

const footnote = (text: string, lines: number) =>
  drawn(createElement(Footnote, { text, lines, width: 24, theme: DEFAULT_THEME }), 24).split('\n')

test('words stand at the foot, over two lines where there are two, and are cut with a mark', () => {
  expect(footnote('It is off.', 2)).toEqual(['', 'It is off.'])
  expect(footnote('The skill "data" has not been activated.', 2)).toEqual([
    'The skill "data" has not',
    'been activated.',
  ])
  expect(footnote('The skill "data" has not been activated since the session opened.', 2)).toEqual([
    'The skill "data" has not',
    'been activated since th…',
  ])
  expect(footnote('The skill "data" has not been activated.', 1)).toEqual([
    'The skill "data" has no…',
  ])
})

test('a low table keeps its lines for rows', () => {
  expect([3, 5, 6, 11, 12, 40].map(footnoteLines)).toEqual([0, 0, 1, 1, 2, 2])
})
