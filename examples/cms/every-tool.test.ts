import { VirtualWorkspace } from 'loadout'
import { expect, test } from 'vitest'
import { cmsCatalog } from './cms-catalog.ts'
import { callAgreed } from './testing/call-agreed.ts'
import { EVERY_CALL } from './testing/every-call.ts'
import { servicesOnLoopback } from './testing/services-on-loopback.ts'
import { CMS_TOOLS } from './tools/cms-tools.ts'

const catalog = await cmsCatalog()

/** Tools whose results are about nothing that stays: what is gone, what is elsewhere, a plan. */
const NOTHING_TO_REMEMBER = [
  'cms_deleteImage',
  'cms_deletePage',
  'cms_deletePageSection',
  'cms_deletePageSections',
  'cms_deletePost',
  'cms_removeNavigationItem',
  'http_get',
  'http_post',
  'plan_analyzeTask',
]

test('every tool does its work through the workspace, and memory finds what its result is about', async () => {
  await using remote = await servicesOnLoopback()
  const workspace = await VirtualWorkspace.open({
    catalog,
    policy: { callsPerTurn: {} },
    agent: 'editor',
    services: remote.services,
  })
  const failed: unknown[] = []
  for (const [tool, input] of EVERY_CALL) {
    const sent = JSON.parse(JSON.stringify(input).replaceAll('ORIGIN', remote.origin)) as object
    const answer = await callAgreed(workspace, tool, sent)
    if (!answer.ok) failed.push([tool, answer.error])
  }
  expect(failed).toEqual([])
  expect(EVERY_CALL.map(([tool]) => tool).sort()).toEqual(CMS_TOOLS.map(({ name }) => name).sort())

  const { extraction } = await workspace.figures.health()
  expect(extraction.filter(({ drifts, entities }) => drifts > 0 || entities === 0)).toEqual([])
  const remembered = extraction.map(({ tool }) => tool)
  expect([...remembered, ...NOTHING_TO_REMEMBER].sort()).toEqual(
    CMS_TOOLS.map(({ name }) => name).sort(),
  )
  await workspace.close()
})

test('what was asked of the services is theirs to know: the keys and the queries, each once', async () => {
  await using remote = await servicesOnLoopback()
  const { services, origin, asked } = remote
  const workspace = await VirtualWorkspace.open({ catalog, agent: 'editor', services })
  await callAgreed(workspace, 'web_quickSearch', { query: 'a & b', limit: 2 })
  await callAgreed(workspace, 'web_deepResearch', { question: 'Why?' })
  await callAgreed(workspace, 'pexels_downloadPhoto', { photo: 77 })
  await callAgreed(workspace, 'http_post', { url: `${origin}/hook`, body: { rooms: 10 } })
  expect(asked.map((one) => Object.values(one).map(String))).toEqual([
    ['GET', '/web/search?query=a+%26+b&limit=2', 'Bearer r', ''],
    ['POST', '/web/research', 'Bearer r', '{"question":"Why?"}'],
    ['GET', '/pexels/v1/photos/77', 'p', ''],
    ['GET', '/l.jpg', 'undefined', ''],
    ['POST', '/hook', 'undefined', '{"rooms":10}'],
  ])
  await workspace.close()
})
