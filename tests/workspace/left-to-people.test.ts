import { expect, test } from 'vitest'
import { catalogFromManifest } from '../../src/catalog/manifest/catalog-from-manifest.ts'
import { buildManifest } from '../../src/catalog/manifest/build-manifest.ts'
import { catalogFromListing } from '../../src/catalog/catalog-from-listing.ts'
import { catalogListing } from '../../src/catalog/catalog-listing.ts'
import { createCatalog } from '../../src/catalog/create/create-catalog.ts'
import type { VirtualWorkspace } from '../../src/workspace/virtual-workspace.ts'
import { aSkill, aTool, aWorkspace } from './a-workspace.ts'

const deploy = aSkill('deploy', {
  description: 'Deploys the site to production.',
  tools: [aTool('push_site')],
  disableModelInvocation: true,
})

/** It requires a skill that is left to people. */
const release = aSkill('release', { requires: ['deploy'] })

const skills = [deploy, release, aSkill('write', { tools: [aTool('draft')] })]

const loadSkill = (workspace: VirtualWorkspace, skillName: string) =>
  workspace.callTool('loadSkill', { skillName }, { caller: 'model' })

test('a model reads nothing of a skill that is left to people, and cannot load it', async () => {
  const workspace = await aWorkspace({ skills }, { metaTools: ['loadSkill'] })
  const { text } = workspace.prompt()
  expect(text).toContain('`write`')
  expect(text).not.toContain('`deploy`')
  expect(text).not.toContain('`release`')
  const step = await workspace.beginStep()
  expect(JSON.stringify(step.tools.map(({ inputSchema }) => inputSchema))).not.toContain('deploy')
  for (const name of ['deploy', 'release']) {
    expect(await loadSkill(workspace, name)).toMatchObject({
      ok: false,
      error: { type: 'UNAVAILABLE', details: { code: 'not-permitted' } },
    })
  }
  expect(await loadSkill(workspace, 'write')).toMatchObject({ ok: true })
  expect(workspace.explainSkill('deploy')).toMatchObject({
    status: 'inactive',
    because: expect.arrayContaining([
      expect.objectContaining({ text: expect.stringContaining('disable-model-invocation') }),
    ]),
  })
  expect(workspace.explainSkill('release').because.at(-1)?.text).toContain('"deploy"')
})

test('a person or the host activates it, and then a model uses its tools', async () => {
  const workspace = await aWorkspace({ skills }, { metaTools: ['loadSkill'] })
  expect(await workspace.activateSkill('release')).toMatchObject({
    ok: true,
  })
  expect(await workspace.callTool('push_site', {}, { caller: 'model' })).toMatchObject({ ok: true })
  expect(await loadSkill(workspace, 'deploy')).toMatchObject({ data: { alreadyLoaded: true } })
})

test('a search does not offer it, and a call of its tool does not activate it', async () => {
  const workspace = await aWorkspace(
    { skills },
    { metaTools: ['tool_search', 'loadSkill'], discovery: { onFound: 'activate-on-call' } },
  )
  const found = await workspace.callTool(
    'tool_search',
    { query: 'push site deploy production' },
    { caller: 'model' },
  )
  expect(found).toMatchObject({ data: { tools: [], skills: [] } })
  expect(await workspace.callTool('push_site', {}, { caller: 'model' })).toMatchObject({
    ok: false,
  })
  const { because } = workspace.explain('push_site')
  expect(because.map(({ text }) => text).join(' ')).toContain('a person or the host activates it')
})

test('a manifest and the listing of a log keep it', async () => {
  const catalog = await createCatalog({ skills })
  const manifest = buildManifest(catalog, {
    tokenizer: 'none',
    pathOf: (path) => path,
    handlerOf: () => undefined,
    tokensOf: () => ({ total: 0, texts: {} }),
  })
  const stored = await catalogFromManifest(JSON.parse(JSON.stringify(manifest)))
  const listing = JSON.parse(JSON.stringify(catalogListing(catalog)))
  const listed = catalogFromListing(listing, {
    agents: [],
    components: [],
    skill: () => undefined,
    tool: () => undefined,
  })
  for (const one of [catalog, stored, listed]) {
    expect([...one.leftToPeople]).toEqual([
      ['deploy', 'deploy'],
      ['release', 'deploy'],
    ])
  }
})
