import { expect, test } from 'vitest'
import type { ToolSearch } from '../../../../src/search/rank/search-answer.ts'
import { aSearchingWorkspace, offered, search } from './a-searching-workspace.ts'

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
  ['is not sure of a number', fixed([result('weather_today', 1)], Number.NaN).given.search],
  ['is too sure', fixed([result('weather_today', 1)], 87).given.search],
  ['names nothing', fixed([result(undefined as never, 1)]).given.search],
])(
  'a search that %s is replaced by words alone, and the page and the log say so',
  async (_, broken) => {
    const workspace = await aSearchingWorkspace({ discovery: { search: { search: broken } } })
    const page = await search(workspace, 'create page')
    expect(offered(page)[0]).toBe('cms_createPage on-call')
    expect(page.degraded).toContain('words alone')
    const told = (await workspace.entries()).find(
      ({ event }) => event.type === 'tool_discovery_result',
    )
    expect(told?.event).toMatchObject({ degraded: expect.stringContaining('words alone') })
  },
)

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

test.each<[string, ToolSearch['search']]>([
  [
    'heeds its signal',
    (_, { signal } = {}) =>
      new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(new Error('given up')))
      }),
  ],
  ['never ends', () => new Promise(() => undefined)],
])('a search that %s and was given up on has an entry that ends it', async (_, waits) => {
  const caller = new AbortController()
  const given: ToolSearch = {
    search: (...request) => {
      queueMicrotask(() => caller.abort())
      return waits(...request)
    },
  }
  const workspace = await aSearchingWorkspace({ discovery: { search: given } })
  const ended = new Promise<void>((resolve) => {
    workspace.subscribe((_, [entry]) => {
      if (entry?.event.type === 'tool_discovery_result') resolve()
    })
  })
  const options = { caller: 'model', call: 'c1', signal: caller.signal } as const
  expect(await workspace.callTool('tool_search', { query: 'anything' }, options)).toMatchObject({
    error: { type: 'ABORTED' },
  })
  await ended
  const told = (await workspace.entries()).find(
    ({ event }) => event.type === 'tool_discovery_result',
  )
  expect(told?.event).toMatchObject({ search: 'c1', stopped: 'aborted', found: [] })
  expect(workspace.state.searches).toEqual([])
  expect((await workspace.figures.health()).searches).toMatchObject({
    total: 1,
    aborted: 1,
    stopped: 0,
  })
})
