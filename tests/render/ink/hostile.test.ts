import fc from 'fast-check'
import { renderToString } from 'ink'
import { beforeAll, expect, test } from 'vitest'
import { displayWidth } from '../../../src/kernel/display-width.ts'
import { drawn } from './drawn.ts'
import { COMPONENTS } from './every-component.ts'
import { foreignBytes, HOSTILE_TEXTS } from './hostile-texts.ts'

const named = Object.entries(COMPONENTS)

beforeAll(() => {
  expect(foreignBytes('\u001B[31mred\u001B[39m\n')).toEqual([])
  expect(HOSTILE_TEXTS.filter((text) => foreignBytes(text).length === 0)).toEqual([])
})

test.each(named)('%s shows control characters instead of sending them', (_name, draw) => {
  for (const text of HOSTILE_TEXTS) {
    const screen = renderToString(draw(text), { columns: 70 })
    expect({ text, found: foreignBytes(screen) }).toEqual({ text, found: [] })
  }
  expect(drawn(draw('a\u001B[2J'), 70)).toContain('a<U+001B>[2J')
})

test.each(named)('%s stays in its columns whatever its text', (_name, draw) => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('a', ' ', '\n', '\t', '검', '🧰', '👩🏽\u200D💻', 'e\u0301') }),
    fc.constantFrom(...HOSTILE_TEXTS),
  )
  fc.assert(
    fc.property(text, (text) => {
      const screen = renderToString(draw(text), { columns: 200 })
      expect(foreignBytes(screen)).toEqual([])
      expect(Math.max(...drawn(draw(text), 200).split('\n').map(displayWidth))).toBeLessThanOrEqual(
        70,
      )
    }),
    { numRuns: 40 },
  )
})
