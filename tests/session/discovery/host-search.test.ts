import { expect, test } from 'vitest'
import type { ToolSearch } from '../../../src/search/search-answer.ts'
import { aSearchingWorkspace, events, offered, search } from './a-searching-workspace.ts'

const result = (name: string, score: number, kind: 'tool' | 'skill' = 'tool') => ({
  name,
  kind,
  score,
  matched: [],
})

/** A search that gives the first of some results, and notes how many it was asked for. */
function fixed(results: readonly ReturnType<typeof result>[], confidence = 0.9) {
  const asked: (number | undefined)[] = []
  const given: ToolSearch = {
    search: async (_, { limit } = {}) => {
      asked.push(limit)
      return { results: results.slice(0, limit), confidence, route: 'fused' }
    },
  }
  return { given, asked }
}

test('a host’s own search ranks in place of the index', async () => {
  const { given } = fixed([result('cms_createPage', 2), result('weather_today', 1)])
  const workspace = await aSearchingWorkspace({ discovery: { search: given } })
  const page = await search(workspace, 'anything')
  expect(offered(page)).toEqual(['cms_createPage on-call', 'weather_today now'])
  expect(page.confidence).toBe(0.9)
  const entries = await workspace.entries()
  expect(entries.find(({ event }) => event.type === 'tool_discovery_result')?.event).toMatchObject({
    route: 'fused',
  })
})

test('it is asked for more when what it gives is forbidden', async () => {
  const secret = Array.from({ length: 100 }, (_, at) => result(`secret_${at}`, 200 - at))
  const { given, asked } = fixed([...secret, result('weather_today', 1)])
  const workspace = await aSearchingWorkspace({ discovery: { search: given } })
  const page = await search(workspace, 'anything')
  expect(offered(page)).toEqual(['weather_today now'])
  expect(asked).toEqual([20, 160])
  expect(page.confidence).toBeLessThan(0.1)
})

test.each<[string, ToolSearch['search']]>([
  [
    'throws',
    () => {
      throw new Error('the vectors are down')
    },
  ],
  ['rejects', () => Promise.reject(new Error('the vectors are down'))],
  ['gives nonsense', () => Promise.resolve(null as never)],
])('a search that %s is replaced by words alone, and both are told so', async (_, broken) => {
  const workspace = await aSearchingWorkspace({ discovery: { search: { search: broken } } })
  const page = await search(workspace, 'create page')
  expect(offered(page)[0]).toBe('cms_createPage on-call')
  expect(page.degraded).toContain('words alone')
  const told = (await workspace.entries()).find(
    ({ event }) => event.type === 'tool_discovery_result',
  )
  expect(told?.event).toMatchObject({ degraded: expect.stringContaining('words alone') })
})

test('a search that says it did less is quoted, in a few words', async () => {
  const given: ToolSearch = {
    search: () => ({
      results: [result('weather_today', 1)],
      confidence: 1,
      route: 'lexical',
      degraded: `Rate limit.\u202E ${'Please wait. '.repeat(500)}`,
    }),
  }
  const workspace = await aSearchingWorkspace({ discovery: { search: given } })
  const { degraded = '', tools } = await search(workspace, 'weather')
  expect(degraded).toContain('Rate limit.<U+202E>')
  expect(degraded.length).toBeLessThan(300)
  expect(tools).toHaveLength(1)
})

test('a call that is given up on ends its search', async () => {
  const begun = Promise.withResolvers<AbortSignal | undefined>()
  const given: ToolSearch = {
    search: (_, { signal } = {}) => {
      begun.resolve(signal)
      return new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(new Error('given up')))
      })
    },
  }
  const workspace = await aSearchingWorkspace({ discovery: { search: given } })
  const caller = new AbortController()
  const called = workspace.callTool(
    'tool_search',
    { query: 'create page' },
    { caller: 'model', signal: caller.signal },
  )
  await begun.promise
  caller.abort()
  expect(await called).toMatchObject({ error: { type: 'ABORTED' } })
  expect(await events(workspace)).not.toContain('tool_discovery_result')
})
