import type {
  IndexSearchOptions,
  SearchAnswer,
  SearchMatch,
  SearchResult,
  SharedToolIndex,
  ToolDocument,
  ToolIndex,
  ToolSearch,
} from 'loadout/search'
import { createToolIndex, layeredIndex } from 'loadout/search'
import { expectTypeOf, test } from 'vitest'

test('a document needs a name and a description, the rest is optional', () => {
  const documents: ToolDocument[] = [
    { name: 'get_page', description: 'Read a page.' },
    { name: 'pages', kind: 'skill', description: 'All about pages.', phrases: ['open a page'] },
    // @ts-expect-error what it does is what it is found by
    { name: 'get_page' },
    // @ts-expect-error only tools and skills are searched
    { name: 'get_page', kind: 'prompt', description: '' },
  ]
  expectTypeOf(createToolIndex).toBeCallableWith(documents)
  expectTypeOf(createToolIndex).toBeCallableWith(new Set(documents).values())
})

test("an index is synchronous, and can be used as a host's search, which may be asynchronous", () => {
  expectTypeOf<ToolIndex['search']>().returns.toEqualTypeOf<SearchAnswer>()
  expectTypeOf<ToolIndex>().toExtend<ToolSearch>()
  expectTypeOf<{ search(query: string): Promise<SearchAnswer> }>().toExtend<ToolSearch>()
})

test('a shared index can be layered under another one, and cannot be changed', () => {
  expectTypeOf<ToolIndex>().toExtend<SharedToolIndex>()
  expectTypeOf<SharedToolIndex>().not.toHaveProperty('add')
  expectTypeOf<SharedToolIndex>().not.toHaveProperty('remove')
  expectTypeOf(layeredIndex).parameter(0).toEqualTypeOf<SharedToolIndex>()
  expectTypeOf(layeredIndex).returns.toEqualTypeOf<ToolIndex>()
})

test('an answer is read-only', () => {
  expectTypeOf<SearchAnswer['results']>().toEqualTypeOf<readonly SearchResult[]>()
  expectTypeOf<SearchResult['matched']>().toEqualTypeOf<readonly SearchMatch[]>()
  expectTypeOf<SearchAnswer['route']>().toEqualTypeOf<'lexical' | 'vectors' | 'fused'>()
  expectTypeOf<SearchMatch['field']>().toEqualTypeOf<
    'name' | 'description' | 'phrases' | 'topic' | 'tags' | 'parameters' | 'owner'
  >()
})

test('a filter receives a name and a kind', () => {
  expectTypeOf<NonNullable<IndexSearchOptions['only']>>().parameters.toEqualTypeOf<
    [name: string, kind: 'tool' | 'skill']
  >()
})
