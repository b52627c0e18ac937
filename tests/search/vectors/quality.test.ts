import { expect, test } from 'vitest'
import { createToolIndex } from '../../../src/search/rank/tool-index.ts'
import { evaluate } from '../../../src/search/evaluate.ts'
import type { ToolSearch } from '../../../src/search/rank/search-answer.ts'
import {
  createHybridSearch,
  type HybridOptions,
} from '../../../src/search/vectors/hybrid-search.ts'
import { createVectorIndex } from '../../../src/search/vectors/vector-index.ts'
import { readSet } from '../read-set.ts'
import { simulatedEmbedder } from './simulated-embedder.ts'

const still = () => 0

async function figures(name: string, every: number, quality: number) {
  const { documents, queries } = readSet(name, every)
  const index = createToolIndex(documents)
  const recall = async (search: ToolSearch) => (await evaluate(search, queries, still)).recall5
  const hybrid = async (more: Partial<HybridOptions>) => {
    const vectors = createVectorIndex({ embedder: simulatedEmbedder(documents, queries, quality) })
    const search = createHybridSearch({ documents, vectors, index, ...more })
    await search.prepare()
    return recall(search)
  }
  return {
    words: await recall(index),
    vectors: await hybrid({ bounds: [1.1, 1.2] }),
    both: await hybrid({}),
    always: await hybrid({ bounds: [0, 0.8] }),
  }
}

const SETS: readonly (readonly [name: string, every: number])[] = [
  ['livemcp', 1],
  ['stabletool_g1', 8],
  ['acebench_zh', 4],
  ['functionchat_ko', 1],
]

test.each(SETS)(
  '%s: with a good model, fusion finds about as much as the better of the two',
  async (name, every) => {
    const { words, vectors, both } = await figures(name, every, 0.4)
    expect(vectors).toBeGreaterThan(words - 0.12)
    expect(both).toBeGreaterThan(Math.max(words, vectors) - 0.03)
  },
)

test.each(SETS)('%s: a poor model costs little recall, and adds some', async (name, every) => {
  const { words, vectors, both, always } = await figures(name, every, 0.25)
  expect(both).toBeGreaterThan(Math.min(words, vectors))
  expect(both).toBeGreaterThan(words - 0.03)
  expect(always).toBeGreaterThan(words)
})
