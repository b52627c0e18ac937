import fc from 'fast-check'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import lineUpdate from '../../../../node_modules/ink/build/line-update.js'
import measureText, * as measured from '../../../../node_modules/ink/build/measure-text.js'
import PlainOutput from '../../../../node_modules/ink/build/output.js'
import squashTextNodes from '../../../../node_modules/ink/build/squash-text-nodes.js'
import { ONE_COLUMN_LETTERS } from '../../../../src/kernel/display-width.ts'
import { InkOutput } from '../../../../src/workbench/playground/terminal/ink-output.ts'

/** Random frames, lines and texts; `INK_RUNS=100000` for a long search. */
const RUNS = Number(process.env['INK_RUNS'] ?? 3_000)

const STYLES = '0 1 2 4 7 22 24 27 31 32 39 44 49 1;31 38;5;12 48;2;1;2;3 58;5;1'
  .split(' ')
  .map((code) => `\x1B[${code}m`)

/** Letters of one column, of two, and of none, or that join a neighbour; styles, links and titles. */
const PIECES = [
  ['a', 'Z', ' ', '  ', '│', '…', 'é', 'ß', '\n', '\t', 'word word'],
  ['日', '本語', '한', '👍', '👨‍👩‍👧', '🇩🇪', '❤️', '1️⃣', '⚠', '⚠️'],
  ['\u0301', 'e\u0301', '\u200B', '\u200D', '\uFE0F', '\uFE0E', '\u00AD', '🇩', '\u1100', '\u1161'],
  ['\u0E33', '\u0600', '\uFF9E', '\uD83D', '\uDC4D', '\x07', '\x1B', '\x9B', '\r\n'],
  STYLES,
  ['\x1B]8;;https://a.example\x07', '\x1B]8;;\x07', '\x1B]0;title\x1B\\', '\x1B[2K', '\x1B[4:3m'],
].flat()

const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((all) => all.join(''))

const letters = fc.string({
  unit: fc.constantFrom('a', 'é', '│', '…', ' ', '\x1B[31m', '\x1B[39m'),
  maxLength: 9,
})

/** Random, or of letters of one column: those have a way of their own in the patch. */
const part = fc.oneof(text, letters)

const TRANSFORMERS = [
  (line: string) => `\x1B[36m${line}\x1B[39m`,
  (line: string) => `\x1B[1m${line}\x1B[22m`,
  (line: string, index: number) => `${index}${line}`,
  (line: string) => line.toUpperCase(),
  () => '',
]

const edge = (max: number) => fc.option(fc.integer({ min: -2, max }), { nil: undefined })

const operation = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      x: fc.integer({ min: -3, max: 14 }),
      y: fc.integer({ min: -2, max: 5 }),
      text,
      transformers: fc.array(fc.constantFrom(...TRANSFORMERS), { maxLength: 2 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ x1: edge(12), x2: edge(14), y1: edge(4), y2: edge(5) }) },
  { weight: 1, arbitrary: fc.constant('unclip' as const) },
)

const frame = fc.record({
  width: fc.integer({ min: 0, max: 12 }),
  height: fc.integer({ min: 0, max: 4 }),
  operations: fc.array(operation, { maxLength: 8 }),
})

type Frame = typeof frame extends fc.Arbitrary<infer Value> ? Value : never

function draw(output: PlainOutput | InkOutput, operations: Frame['operations']) {
  for (const one of operations) {
    if (one === 'unclip') output.unclip()
    else if ('text' in one) output.write(one.x, one.y, one.text, one)
    else output.clip(one)
  }
  return output.get()
}

test('random frames are the bytes that Ink makes of them', () => {
  const property = fc.property(frame, ({ width, height, operations }) => {
    const expected = draw(new PlainOutput({ width, height }), operations)
    // Again, of what was kept.
    for (const _ of [1, 2]) {
      expect(draw(new InkOutput({ width, height }), operations)).toEqual(expected)
    }
  })
  fc.assert(property, { numRuns: RUNS, seed: 33 })
})

// Node loads the files of Ink as they are; the test runner, with the patch.
const load = createRequire(import.meta.url)

test('what is written of a changed line is the same bytes with and without the patch', () => {
  const { default: plain } = load('../../../../node_modules/ink/build/line-update.js')
  const property = fc.property(part, part, part, edge(20), (start, before, after, columns) => {
    const lines = [start + before, start + after] as const
    expect(lineUpdate(...lines, columns)).toBe(plain(...lines, columns))
  })
  fc.assert(property, { numRuns: RUNS, seed: 33 })
})

test('a text is measured the same with and without the patch', () => {
  const { default: plain } = load('../../../../node_modules/ink/build/measure-text.js')
  const property = fc.property(part, part, (first, second) => {
    expect(measureText(first + second)).toEqual(plain(first + second))
  })
  fc.assert(property, { numRuns: RUNS, seed: 33 })
})

test('a text, and one in it, are read the same with and without the patch', () => {
  const { default: plain } = load('../../../../node_modules/ink/build/squash-text-nodes.js')
  const textNode = (nodeValue: string) => ({ nodeName: '#text', nodeValue })
  const property = fc.property(part, part, (outer, inner) => {
    const nested = { nodeName: 'ink-virtual-text', childNodes: [textNode(inner)] }
    const node: unknown = { nodeName: 'ink-text', childNodes: [textNode(outer), nested] }
    expect(squashTextNodes(node as Parameters<typeof squashTextNodes>[0])).toBe(plain(node))
  })
  fc.assert(property, { numRuns: RUNS, seed: 33 })
})

test('the letters that the patch does not measure are those of the sources, and have one column', () => {
  const { default: plain } = load('../../../../node_modules/ink/build/measure-text.js')
  const { oneColumnLetters } = measured as { readonly oneColumnLetters?: RegExp }
  expect(`${oneColumnLetters}`).toBe(`${ONE_COLUMN_LETTERS}`)
  const all = Array.from({ length: 0x1_00_00 }, (_, unit) => String.fromCharCode(unit))
  const known = all.filter((letter) => ONE_COLUMN_LETTERS.test(letter))
  expect(known.length).toBeGreaterThan(1_000)
  expect(known.filter((letter) => plain(letter).width !== 1)).toEqual([])
})
