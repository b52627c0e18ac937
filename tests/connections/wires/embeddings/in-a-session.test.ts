import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createCatalog, VirtualWorkspace } from 'loadout'
import { embedderFromAiSdk } from 'loadout/ai-sdk'
import { catalogIndex, createHybridSearch, createVectorIndex, documentsOf } from 'loadout/search'
import { expect, test } from 'vitest'
import {
  definitions,
  offered,
  search,
} from '../../../workspace/offer/discovery/a-searching-workspace.ts'
import { embeddingServer } from './embedding-server.ts'

/** A session whose searches go over real HTTP to an embedding model, as docs/search.md shows it. */
async function session(permissions: { readonly deny?: readonly string[] } = {}) {
  const server = await embeddingServer()
  const provider = createOpenAICompatible({ name: 'local', baseURL: server.url })
  const embedder = embedderFromAiSdk(provider.embeddingModel('toy'))
  const catalog = await createCatalog(definitions)
  const hybrid = createHybridSearch({
    documents: documentsOf(catalog),
    index: catalogIndex(catalog),
    vectors: createVectorIndex({ embedder }),
  })
  await hybrid.prepare()
  const workspace = await VirtualWorkspace.open({
    catalog,
    policy: { permissions },
    discovery: { search: hybrid },
  })
  await workspace.beginTurn()
  return { server, workspace }
}

test('tool_search understands a request in another language', async () => {
  const { server, workspace } = await session()
  const page = await search(workspace, '今天的天气')
  expect(offered(page)[0]).toBe('weather_today now')
  const entries = await workspace.entries()
  expect(entries.map(({ event }) => event)).toContainEqual(
    expect.objectContaining({ type: 'tool_discovery_result', route: 'vectors', degraded: null }),
  )
  expect(server.requests).toHaveLength(2)
})

test('what is forbidden is not offered, and takes one request all the same', async () => {
  const { server, workspace } = await session({ deny: ['weather_*'] })
  const page = await search(workspace, '今天的天气')
  expect(page.tools.map(({ name }) => name)).not.toContain('weather_today')
  expect(server.requests).toHaveLength(2)
})

test('while the model is down words answer, and page and log say so', async () => {
  const { server, workspace } = await session()
  server.next({ kind: 'status', status: 429, headers: { 'retry-after': '30' } })
  const page = await search(workspace, 'weather 天气 of somewhere')
  expect(offered(page)[0]).toBe('weather_today now')
  expect(page.degraded).toContain('rate limited for another 30 s')
  const entries = await workspace.entries()
  expect(entries.map(({ event }) => event)).toContainEqual(
    expect.objectContaining({ route: 'lexical', degraded: page.degraded }),
  )
})
