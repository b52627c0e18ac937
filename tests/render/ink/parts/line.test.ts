import { createElement } from 'react'
import { expect, test } from 'vitest'
import { Line } from '../../../../src/render/ink/parts/line.tsx'
import { drawn } from '../drawn.ts'

const spans = [{ text: 'g', bold: true }, { text: ' To the end  ', dim: true }, { text: 'q' }]

test.each([
  [20, 'g To the end  q'],
  [15, 'g To the end  q'],
  [14, 'g To the end…'],
  [12, 'g To the en…'],
  [11, 'g To the e…'],
  [1, '…'],
  [0, ''],
])('in %d columns what is left out leaves a mark: %j', (width, shown) => {
  expect(drawn(createElement(Line, { spans, width }), 30)).toBe(shown)
})
