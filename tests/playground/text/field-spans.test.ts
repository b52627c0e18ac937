import fc from 'fast-check'
import { expect, test } from 'vitest'
import { displayWidth } from '../../../src/kernel/display-width.ts'
import { fieldSpans } from '../../../src/playground/text/text-field.ts'

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
