import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { writeTable } from '../../../../src/workbench/report/writers/print-report.ts'

function table(
  rows: readonly (readonly string[])[],
  terminal: Partial<Parameters<typeof writeTable>[2]> = {},
) {
  let written = ''
  const stdout = { write: (text: string) => (written += text) }
  const cells = rows.map((row) => row.map((text) => ({ text, colour: 'green' as const })))
  writeTable(['NAME', 'WHAT'], cells, {
    stdout,
    isTerminal: false,
    columns: 80,
    colour: false,
    ...terminal,
  })
  return written
}

test('columns are aligned by display width', () => {
  expect(
    table([
      ['検索', 'two columns a letter'],
      ['👩‍🔬', 'one picture'],
      ['e\u0301', 'one letter and a mark'],
      ['plain', ''],
    ]),
  ).toMatchInlineSnapshot(`
    "NAME   WHAT
    検索   two columns a letter
    👩‍🔬     one picture
    é      one letter and a mark
    plain
    "
  `)
})

test('a line is cut with an ellipsis on a terminal only', () => {
  expect(table([['a', 'x'.repeat(40)]], { isTerminal: true, columns: 12 })).toMatchInlineSnapshot(`
    "NAME  WHAT
    a     xxxxx…
    "
  `)
  expect(table([['a', 'x'.repeat(100)]])).toContain('x'.repeat(100))
})

test('a name longer than the terminal is cut and leaves room for the next columns', () => {
  const lines = table([['n'.repeat(40), 'x']], { isTerminal: true, columns: 10 }).split('\n')
  expect(lines).toEqual(['NAME   WH…', 'nnnn…  x', ''])
})

test('a line break in a cell does not start a new row', () => {
  expect(table([['a\nb', 'c\r\nd']])).toBe('NAME  WHAT\na b   c d\n')
})

test('colours do not change the text', () => {
  const plain = table([['a', 'b']])
  const coloured = table([['a', 'b']], { colour: true })
  expect(coloured).not.toBe(plain)
  expect(stripVTControlCharacters(coloured)).toBe(plain)
})
