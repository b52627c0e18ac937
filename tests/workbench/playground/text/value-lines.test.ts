import fc from 'fast-check'
import { expect, test } from 'vitest'
import { valueLine, valueLines } from '../../../../src/workbench/playground/text/value-lines.ts'

test('JSON is an indented tree, also where a text is JSON; a text keeps its lines', () => {
  const value = { rows: [{ region: 'north', sold: 12 }], note: 'two\nlines', none: null, empty: [] }
  const tree = [
    'rows (1)',
    '  0',
    '    region: north',
    '    sold: 12',
    'note:',
    '  two',
    '  lines',
    'none: null',
    'empty: []',
  ]
  expect(valueLines(value)).toEqual(tree)
  expect(valueLines(JSON.stringify(value))).toEqual(tree)
  expect(valueLines('{ not json\nbut text')).toEqual(['{ not json', 'but text'])
})

test.each([
  [
    { type: 'image', mediaType: 'image/png', data: Buffer.alloc(70).toString('base64') },
    'image, image/png, 70 bytes',
  ],
  [
    { type: 'file', name: 'a.pdf', media_type: 'application/pdf', data: new Uint8Array(5) },
    'file a.pdf, application/pdf, 5 bytes',
  ],
  [`data:image/gif;base64,${Buffer.alloc(9).toString('base64')}`, 'image/gif, 9 bytes'],
])('data is its type and its size', (value, words) => {
  expect(valueLine(value)).toBe(words)
  expect(valueLines({ picture: value })).toEqual([`picture: ${words}`])
})

test('any value becomes lines that are safe to draw', () => {
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' })), (value) => {
      for (const line of [...valueLines(value), valueLine(value)]) {
        expect(line).not.toMatch(/\p{Cc}/u)
      }
    }),
  )
})
