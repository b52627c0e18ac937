import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createGramTable, wordGrams } from '../../../src/search/index/vocabulary.ts'

describe('gram table', () => {
  const term = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '天'), minLength: 1, maxLength: 9 })

  test('terms are found by shared runs, after any changes', () => {
    fc.assert(
      fc.property(fc.array(term, { maxLength: 40 }), term, (changes, word) => {
        const table = createGramTable()
        const held = new Map<string, number>()
        changes.forEach((one, at) => {
          const id = held.get(one)
          if (id === undefined) table.add(one, at)
          else table.remove(one, id)
          if (id === undefined) held.set(one, at)
          else held.delete(one)
        })
        const asked = new Set(wordGrams(word))
        const expected = [...held].flatMap(([one, id]) => {
          const shared = new Set(wordGrams(one).filter((gram) => asked.has(gram))).size
          return shared >= 2 ? [[id, shared]] : []
        })
        const found: number[][] = []
        table.eachSharing(word, 2, (id, shared) => found.push([id, shared]))
        expect(found.toSorted((a, b) => (a[0] ?? 0) - (b[0] ?? 0))).toEqual(
          expected.toSorted((a, b) => (a[0] ?? 0) - (b[0] ?? 0)),
        )
      }),
    )
  })
})

describe('word grams', () => {
  /** The characters that a gram stands for. */
  function read(gram: number): string {
    const [width, mask] = gram < 2 ** 21 ? [7, 127] : [16, 65_535]
    const codes = [2, 1, 0].map((place) => Math.floor(gram / 2 ** (width * place)) & mask)
    return codes.map((code) => (code === 1 ? '|' : String.fromCharCode(code))).join('')
  }

  test.each([
    ['page', ['|pa', 'pag', 'age', 'ge|']],
    ['aaaaa', ['|aa', 'aaa', 'aaa', 'aaa', 'aa|']],
    ['погода', ['|по', 'пог', 'ого', 'год', 'ода', 'да|']],
    ['caféx', ['|ca', 'caf', 'afé', 'féx', 'éx|']],
    ['get', []],
    ['x'.repeat(33), []],
  ])('the runs of %s are %j', (term, runs) => {
    expect(wordGrams(term).map(read)).toEqual(runs)
  })
})
