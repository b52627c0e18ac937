import { expect, test } from 'vitest'
import { catalogFromManifest } from '../../src/catalog/manifest/catalog-from-manifest.ts'
import { buildManifest } from '../../src/catalog/manifest/build-manifest.ts'
import { catalogFromListing } from '../../src/catalog/catalog-from-listing.ts'
import { catalogListing } from '../../src/catalog/catalog-listing.ts'
import { createCatalog } from '../../src/catalog/create/create-catalog.ts'
import { defineAgent } from '../../src/skills/definition/define-agent.ts'
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

test('no person activates what is left to models, while a model and the host do', async () => {
  const background = aSkill('background', { userInvocable: false })
  const user = aSkill('user', { requires: ['background'] })
  const workspace = await aWorkspace({ skills: [background, user] }, { metaTools: ['loadSkill'] })
  expect(await workspace.activateSkill('background', { by: 'user' })).toMatchObject({
    ok: false,
    code: 'not-permitted',
    message: expect.stringContaining('user-invocable: false'),
  })
  expect(workspace.explainSkill('background').because.at(-1)?.text).toContain('no person can')
  expect(await loadSkill(workspace, 'background')).toMatchObject({ ok: true })
  await workspace.deactivateSkill('background')
  expect(await workspace.activateSkill('background')).toMatchObject({ ok: true })
  await workspace.deactivateSkill('background')
  expect(await workspace.activateSkill('user', { by: 'user' })).toMatchObject({ ok: true })
})

test('a model reaches a skill that is left to people on no other route', async () => {
  const asks = aTool('asks', {
    execute: async (_: unknown, { callTool }: { callTool: (...given: unknown[]) => unknown }) =>
      callTool('loadSkill', { skillName: 'deploy' }),
  } as never)
  const agent = defineAgent({
    name: 'sub',
    description: 'Helps.',
    skills: '*',
    initialSkills: ['release'],
  })
  const workspace = await aWorkspace(
    { skills, tools: [asks], agents: [agent] },
    {
      metaTools: ['loadSkill', 'loadSkillFile', 'call_tool', 'tool_search', 'listAvailableSkills'],
      discovery: { onFound: 'activate-on-call' },
    },
  )
  const byModel = (tool: string, input: object) =>
    workspace.callTool(tool, input, { caller: 'model' })
  expect(await byModel('call_tool', { tool: 'push_site', arguments: {} })).toMatchObject({
    ok: false,
  })
  expect(await byModel('call_tool', { tool: 'deploy/push_site', arguments: {} })).toMatchObject({
    ok: false,
  })
  expect(
    await byModel('call_tool', { tool: 'loadSkill', arguments: { skillName: 'deploy' } }),
  ).toMatchObject({ ok: false })
  expect(await byModel('loadSkillFile', { skillName: 'deploy', path: 'x' })).toMatchObject({
    ok: false,
  })
  expect(JSON.stringify(await byModel('listAvailableSkills', {}))).not.toContain('deploy')
  expect(JSON.stringify(await byModel('asks', {}))).toContain('not by a model')
  expect(workspace.state.open.filter(({ source }) => source === 'skill')).toEqual([])
  // The host chose the initial skills of a child, which its model may not add to.
  const child = await workspace.sessions.child({ agent: 'sub' })
  expect(child.explainSkill('deploy').status).toBe('active')
  await child.deactivateSkill('release', { cascade: true })
  expect(
    await child.callTool('loadSkill', { skillName: 'release' }, { caller: 'model' }),
  ).toMatchObject({ ok: false })
})
