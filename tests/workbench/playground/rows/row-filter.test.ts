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
  const ROWS = ['find a table', 'table', 'send a letter', 'find letters', '']

  test('each letter searches only the rows that matched before', () => {
    const asked: string[] = []
    const filter = rowFilter<string>((row) => {
      asked.push(row)
      return row
    }, String)
    expect(filter(ROWS, 'fi')).toEqual(['find a table', 'find letters'])
    asked.length = 0
    expect(filter(ROWS, 'fi t')).toEqual(['find a table', 'find letters'])
    expect(filter(ROWS, 'fi ta')).toEqual(['find a table'])
    expect(asked).toEqual(['find a table', 'find letters', 'find a table', 'find letters'])
  })

  test('letters in order find a name when no text has the words', () => {
    const skills = ['repo-explorer', 'reporting', 'music']
    const filter = rowFilter<string>(String, String)
    expect(filter(skills, 'rpexp')).toEqual(['repo-explorer'])
    expect(filter(skills, 'rep')).toEqual(['repo-explorer', 'reporting'])
    expect(filter(skills, 'xr')).toEqual(['repo-explorer'])
    expect(filter(skills, 'pxq')).toEqual([])
  })

  test('typing a filter letter by letter gives the same rows as pasting it', () => {
    const typed = fc.array(
      fc.string({ unit: fc.constantFrom('f', 'i', 't', 'E', ' '), maxLength: 4 }),
    )
    fc.assert(
      fc.property(typed, (filters) => {
        const filter = rowFilter<string>(String, () => '')
        for (const one of filters) {
          expect(filter(ROWS, one)).toEqual(ROWS.filter((row) => matchesFilter(one, [row])))
        }
      }),
    )
  })
})
