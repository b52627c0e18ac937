import { expect, test } from 'vitest'
import type { AllowedToolsEffect } from '../../src/engine/model/policy.ts'
import { aSkill, aTool, available, aWorkspace } from './a-workspace.ts'

const tools = [
  aTool('read'),
  aTool('write', { requiresConfirmation: true }),
  aTool('drop', { requiresConfirmation: true }),
]
const writer = aSkill('writer', {
  permissions: ['write', 'Bash(git:*)', 'drop(table:*)'],
  tools: [aTool('draft')],
})
const reader = aSkill('reader', { permissions: ['read', 'draft'], tools: [aTool('skim')] })

const skimmer = aSkill('skimmer', { permissions: ['glance'], tools: [aTool('glance')] })

const open = (allowedTools: AllowedToolsEffect, more: object = {}) =>
  aWorkspace(
    { skills: [writer, reader, skimmer, aSkill('plain')], tools },
    { policy: { permissions: { allowedTools, ...more } }, metaTools: ['loadSkill', 'unloadSkill'] },
  )

const asks = (workspace: Awaited<ReturnType<typeof open>>) =>
  workspace
    .tools()
    .filter((one) => one.asks)
    .map(({ name }) => name)

const warnings = async (workspace: Awaited<ReturnType<typeof open>>) =>
  (await workspace.entries()).flatMap(({ event }) =>
    event.type === 'warning.given' ? `${event.code}: ${event.message}` : [],
  )

test('loading a skill grants nothing unless the host says so', async () => {
  const workspace = await open('ignore')
  await workspace.activateSkill('writer')
  expect(asks(workspace)).toEqual(['drop', 'write'])
  expect(await warnings(workspace)).toEqual([])
  expect(workspace.explainSkill('writer').because.at(-1)?.text).toBe(
    'Its allowed-tools have no effect here: write, Bash(git:*), drop(table:*).',
  )
})

test('as a pre-approval it takes the place of a confirmation while the skill is active', async () => {
  const workspace = await open('pre-approve')
  expect(asks(workspace)).toEqual(['drop', 'write'])
  await workspace.activateSkill('writer')
  expect(asks(workspace)).toEqual(['drop'])
  expect(await workspace.callTool('write', {})).toMatchObject({ ok: true })
  expect(workspace.explain('write').because.at(-1)?.text).toBe(
    'Skill "writer" names it in allowed-tools, which this host accepts as approval.',
  )
  expect(workspace.explainSkill('writer').because.at(-1)?.text).toBe(
    'Its allowed-tools pre-approve: write. Entries with arguments approve nothing: Bash(git:*), drop(table:*).',
  )
  expect(await warnings(workspace)).toEqual([
    'allowed-tools-unmatched: The skill "writer" lists unknown tools in allowed-tools: "Bash(git:*)".',
    'allowed-tools-with-arguments: The skill "writer" lists tools with arguments in allowed-tools, which pre-approve nothing: "Bash(git:*)", "drop(table:*)".',
  ])
  await workspace.deactivateSkill('writer')
  expect(asks(workspace)).toEqual(['drop', 'write'])
})

test('every rule of the host goes before a pre-approval', async () => {
  const asked = await open('pre-approve', { ask: ['write'] })
  await asked.activateSkill('writer')
  expect(asks(asked)).toContain('write')
  const denied = await open('pre-approve', { deny: ['write'] })
  await denied.activateSkill('writer')
  expect(denied.explain('write').status).toBe('denied')
})

test('as a restriction it leaves what active skills name, and meta-tools', async () => {
  const workspace = await open('restrict')
  expect(available(workspace)).toContain('read')
  await workspace.activateSkill('writer')
  expect(available(workspace)).toEqual(['loadSkill', 'unloadSkill', 'drop', 'write'])
  expect(workspace.explain('read')).toMatchObject({
    status: 'denied',
    because: [
      {},
      {
        text: 'While "writer" is active, only allowed-tools can be called: write, Bash(git:*), drop(table:*).',
      },
    ],
    fix: 'Deactivate "writer".',
  })
  expect(await workspace.callTool('read', {})).toMatchObject({
    error: { type: 'DENIED', details: { code: 'denied' } },
  })
  await workspace.activateSkill('plain')
  expect(workspace.explain('plain_tool').status).toBe('denied')
  await workspace.activateSkill('reader')
  expect(available(workspace)).toEqual([
    'loadSkill',
    'unloadSkill',
    'drop',
    'read',
    'write',
    'draft',
  ])
  expect(workspace.explain('skim').because.at(-1)?.text).toContain('While "writer", "reader" are')
  const unload = { skillName: 'writer' }
  expect(await workspace.callTool('unloadSkill', unload, { caller: 'model' })).toMatchObject({
    ok: true,
  })
  expect(available(workspace)).toEqual(['loadSkill', 'unloadSkill', 'read'])
})

test('a tool that would come with a skill is judged with the list of that skill', async () => {
  const workspace = await open('restrict')
  await workspace.activateSkill('writer')
  expect(workspace.explain('skim').fix).toBe(
    'Activate the skill "reader". Even then the tool would be denied.',
  )
  expect(workspace.explain('glance').fix).toBe('Activate the skill "skimmer".')
})

test('the host can change its effect in a running session', async () => {
  const workspace = await open('restrict')
  await workspace.activateSkill('writer')
  expect(workspace.isToolAvailable('read')).toBe(false)
  await workspace.setPermissions({ allowedTools: 'ignore' })
  expect(workspace.isToolAvailable('read')).toBe(true)
})
