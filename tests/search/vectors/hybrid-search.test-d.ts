import { expectTypeOf, test } from 'vitest'
import type { SearchAnswer, ToolSearch } from '../../../src/search/rank/search-answer.ts'
import type { ToolIndex } from '../../../src/search/rank/tool-index.ts'
import type { HybridSearch } from '../../../src/search/vectors/hybrid-search.ts'

test("both searches satisfy the session's type, and only the one with vectors is asynchronous", () => {
  expectTypeOf<HybridSearch>().toExtend<ToolSearch>()
  expectTypeOf<ToolIndex>().toExtend<ToolSearch>()
  expectTypeOf<ReturnType<HybridSearch['search']>>().toEqualTypeOf<Promise<SearchAnswer>>()
  expectTypeOf<ReturnType<ToolIndex['search']>>().toEqualTypeOf<SearchAnswer>()
})
