import { expect, test } from 'vitest'
import { wordGrams } from '../../../src/search/index/vocabulary.ts'

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
