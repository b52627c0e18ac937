import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { createToolIndex } from '../../src/search/rank/tool-index.ts'
import { readSet } from './read-set.ts'

const EVERY = 5

/** All that an answer says but its scores and confidence, which are judged elsewhere. */
function answersOf(set: string): string {
  const { documents, queries } = readSet(set, EVERY)
  const index = createToolIndex(documents)
  const hash = createHash('sha256')
  const dropped = documents.map(({ name }) => name.slice(0, -1))
  for (const query of [...queries.map((one) => one.query), ...dropped]) {
    const { results } = index.search(query, { limit: 10 })
    hash.update(JSON.stringify(results.map(({ name, matched }) => [name, matched])))
  }
  return hash.digest('hex').slice(0, 12)
}

// A faster index keeps these hashes. An index that ranks better gets new ones, together with the new
// figures of `npm run bench:search`.
test.each([
  ['livemcp', '686f5c0198cb'],
  ['bfcl', 'd71a760acd0a'],
  ['stabletool_g1', '357d04758b4e'],
  ['metatool_phrases', '525eb24cace1'],
  ['acebench_en', '7039c73034e7'],
  ['acebench_zh', '024b3d982df0'],
  ['functionchat_ko', '076817924f2c'],
  ['bfcl_ar', 'dd1f890a85cb'],
])('the answers to the requests and slips of %s are the known ones', (set, known) => {
  expect(answersOf(set)).toBe(known)
})
