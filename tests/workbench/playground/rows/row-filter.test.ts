import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  bestMatch,
  matchesFilter,
  rowFilter,
} from '../../../../src/workbench/playground/rows/row-filter.ts'

describe('best match', () => {
  const names = ['open_table', 'Query_table', 'requery', 'unquoted']

  test.each([
    ['q', 'Query_table'],
    ['QUO', 'unquoted'],
    ['query', 'Query_table'],
    ['equ', 'requery'],
    ['sql', 'open_table'],
    ['', 'open_table'],
  ])('%j means %s', (filter, name) => {
    expect(bestMatch(names, filter)).toBe(name)
  })

  test('without names there is no match', () => {
    expect(bestMatch([], 'q')).toBe(null)
  })
})

describe('matches filter', () => {
  test.each([
    ['', ['Data'], true],
    ['dat', ['Data'], true],
    ['sql data', ['Data Analysis', 'SQL'], true],
    ['sql music', ['Data Analysis', 'SQL'], false],
    ['asql', ['data', 'sql'], false],
    ['  ', ['x'], true],
  ])('%j against %j: %j', (filter, texts, matches) => {
    expect(matchesFilter(filter, texts)).toBe(matches)
  })
})

describe('row filter', () => {
  interface Row {
    readonly text: string
  }
  const rowsOf = (...texts: readonly string[]) => texts.map((text): Row => ({ text }))
  const textsOf = (rows: readonly Row[]) => rows.map(({ text }) => text)
  const ROWS = rowsOf('find a table', 'table', 'send a letter', 'find letters', '')

  test('the texts of a row are read once, whatever is typed', () => {
    const asked: string[] = []
    const filter = rowFilter<Row>(({ text }) => {
      asked.push(text)
      return [text]
    })
    expect(textsOf(filter(ROWS, 'fi'))).toEqual(['find a table', 'find letters'])
    expect(textsOf(filter(ROWS, 'fi t'))).toEqual(['find a table', 'find letters'])
    expect(textsOf(filter(ROWS, 'fi ta'))).toEqual(['find a table'])
    expect(asked).toEqual(textsOf(ROWS))
  })

  test('letters in order find a name when no text has the words', () => {
    const skills = rowsOf('repo-explorer', 'reporting', 'music')
    const rows = rowFilter<Row>(({ text }) => [text])
    const filter = (typed: string) => textsOf(rows(skills, typed))
    expect(filter('rpexp')).toEqual(['repo-explorer'])
    expect(filter('rep')).toEqual(['repo-explorer', 'reporting'])
    expect(filter('xr')).toEqual(['repo-explorer'])
    expect(filter('pxq')).toEqual([])
  })

  test('typing a filter letter by letter gives the same rows as pasting it', () => {
    const typed = fc.array(
      fc.string({ unit: fc.constantFrom('f', 'i', 't', 'E', ' '), maxLength: 4 }),
    )
    fc.assert(
      fc.property(typed, (filters) => {
        const filter = rowFilter<Row>(({ text }) => ['', text])
        for (const one of filters) {
          expect(filter(ROWS, one)).toEqual(ROWS.filter(({ text }) => matchesFilter(one, [text])))
        }
      }),
    )
  })
})
