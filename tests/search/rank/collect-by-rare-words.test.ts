import { expect, test } from 'vitest'
import { createSegment } from '../../../src/search/index/segment.ts'
import { collect, MOST_CANDIDATES } from '../../../src/search/rank/collect.ts'
import { collectByRareWords } from '../../../src/search/rank/collect-by-rare-words.ts'
import { corpusOf } from '../../../src/search/rank/corpus.ts'
import { fullLayer } from '../../../src/search/rank/layer.ts'
import { planQuery } from '../../../src/search/rank/plan-query.ts'

const SUBJECTS = ['invoice', 'calendar', 'ticket', 'parcel', 'garden', 'letter', 'meeting']

/** So many tools, of which two say each number and a seventh each subject. */
function manyTools(count: number) {
  const segment = createSegment()
  for (let index = 0; index < count; index += 1) {
    const subject = SUBJECTS[index % SUBJECTS.length] ?? ''
    const description = `Manage the ${subject} of department ${index >> 1} and send it.`
    segment.put({ name: `tool_${index}`, description })
  }
  const layers = [fullLayer(segment)]
  const find = (gather: typeof collect, query: string) =>
    gather(layers, planQuery(query, corpusOf(layers)), MOST_CANDIDATES, () => true).map(
      ({ document, points }) => [document.name, points] as const,
    )
  return find
}

test('the documents with the rarest words have the same points as in a full scan', () => {
  const find = manyTools(2_500)
  for (const query of ['invoice of department 77', 'send the deliver 400 ticket', 'garden']) {
    const all = new Map(find(collect, query))
    const rare = find(collectByRareWords, query)
    expect(rare[0]).toEqual(find(collect, query)[0])
    expect(rare.length).toBeGreaterThan(1)
    for (const [name, points] of rare) expect(all.get(name) ?? points).toBe(points)
  }
})

test('a document with only common words is not found', () => {
  const names = (gather: typeof collect) =>
    manyTools(2_500)(gather, 'manage the department 77').map(([name]) => name)
  expect(names(collect)).toContain('tool_1')
  expect(names(collectByRareWords)).toEqual(['tool_77', 'tool_154', 'tool_155'])
})

test('up to 2,000 documents are all scanned', () => {
  const find = manyTools(2_000)
  const query = 'manage the invoice of department 77'
  expect(find(collectByRareWords, query)).toEqual(find(collect, query))
})
