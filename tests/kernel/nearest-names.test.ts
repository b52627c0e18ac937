import { describe, expect, test } from 'vitest'
import { didYouMean, nearestNames } from '../../src/kernel/nearest-names.ts'

describe('did you mean', () => {
  test.each<{ nearest: readonly string[]; hint: string }>([
    { nearest: [], hint: 'List them.' },
    { nearest: ['alpha'], hint: 'Did you mean "alpha"?' },
    { nearest: ['alpha', 'beta', 'gamma'], hint: 'Did you mean "alpha" or "beta" or "gamma"?' },
  ])('the nearest of $nearest.length names: $hint', ({ nearest, hint }) => {
    expect(didYouMean(nearest, 'List them.')).toBe(hint)
  })
})

describe('nearest names', () => {
  const names = ['search-kb', 'search-web', 'refund', 'repo-explorer', '__proto__', 'pdf']

  test.each([
    ['serach-kb', ['search-kb']],
    ['Search KB', ['search-kb', 'search-web']],
    ['searchKb', ['search-kb', 'search-web']],
    ['SEARCH_WEB', ['search-web', 'search-kb']],
    ['refnd', ['refund']],
    ['explorer', ['repo-explorer']],
    ['Repository Explorer', ['repo-explorer']],
    ['proto', ['__proto__']],
    ['pdfs', ['pdf']],
    ['pfd', ['pdf']],
    ['weather', []],
    ['x', []],
    ['', []],
    ['---', []],
  ])('%j is near %j', (query, nearest) => {
    expect(nearestNames(query, names)).toEqual(nearest)
  })

  test('the same letters come before a near miss, and the order of the names makes no difference', () => {
    const offered = ['read_file', 'readfiles', 'read-fil']
    expect(nearestNames('readFile', offered)).toEqual(['read_file', 'readfiles', 'read-fil'])
    expect(nearestNames('readFile', offered.toReversed())).toEqual(
      nearestNames('readFile', offered),
    )
  })

  test('at most the requested number is returned, each name once', () => {
    const offered = ['tool-1', 'tool-1', 'tool-2', 'tool-3', 'tool-4']
    expect(nearestNames('tool', offered)).toHaveLength(3)
    expect(nearestNames('tool', offered, 10)).toEqual(['tool-1', 'tool-2', 'tool-3', 'tool-4'])
    expect(nearestNames('tool', offered, 0)).toEqual([])
  })

  test('of very long names only the first 128 characters are compared', () => {
    const long = `${'a'.repeat(128)}${'b'.repeat(1_000_000)}`
    expect(nearestNames('a'.repeat(128), [long])).toEqual([long])
  })
})
