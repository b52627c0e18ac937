import { renderToString } from 'ink'
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

const marked = [{ text: '  ' }, { text: '●', tone: 'good' }, { text: ' name ' }] as const

test.each([
  [30, '  ● name the reason'],
  [12, '  ● name th…'],
  [4, '  ●…'],
])('on a screen of %d columns a line with a mark is cut at its end: %j', (columns, shown) => {
  const line = createElement(Line, {
    spans: [...marked, { text: 'the reason', dim: true }],
    width: 30,
  })
  expect(drawn(line, columns)).toBe(shown)
})

test('marks at the start of a line are the same letters as in one text', () => {
  const line = createElement(Line, { spans: marked, width: 30 })
  const plain = createElement(Line, { spans: [...marked, { text: '→' }], width: 30 })
  expect(`${renderToString(line)} →`).toBe(renderToString(plain))
})
