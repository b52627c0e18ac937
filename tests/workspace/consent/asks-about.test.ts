import { createMemoryLog, type VirtualWorkspace, type WorkspaceOptions } from 'loadout'
import { expect, test } from 'vitest'
import { aSkill, aTool, aWorkspace } from '../a-workspace.ts'

const WIPE = aTool('wipe', {
  risk: 'destructive',
  inputSchema: { type: 'object', properties: { more: { type: 'number' } } },
})

/** Makes the call that was asked about, and returns the code of its refusal. */
async function made(workspace: VirtualWorkspace, tool: string, input: unknown, call?: string) {
  const options = { caller: 'model', ...(call !== undefined && { call }) } as const
  const response = await workspace.callTool(tool, input, options)
  return response.ok ? 'ran' : response.error.details['code']
}

async function aCleaner(options: Partial<WorkspaceOptions> = {}) {
  const workspace = await aWorkspace({ tools: [WIPE] }, options)
  await workspace.beginTurn()
  await workspace.beginStep()
  return workspace
}

async function asked(workspace: VirtualWorkspace): Promise<string> {
  await made(workspace, 'wipe', {})
  return workspace.state.confirmations.at(-1)?.id ?? ''
}

test('a call that a person denied in this turn does not ask again', async () => {
  const workspace = await aCleaner()
  await workspace.deny(await asked(workspace))
  expect(await workspace.approvals.asksAbout('wipe', {})).toBe(false)
  expect(await made(workspace, 'wipe', {})).toBe('confirmation-denied')
  await workspace.beginTurn()
  expect(await workspace.approvals.asksAbout('wipe', {})).toBe(true)
})

test('a call that a person approved does not ask again, and one that still waits does', async () => {
  const workspace = await aCleaner()
  const id = await asked(workspace)
  expect(await workspace.approvals.asksAbout('wipe', {})).toBe(true)
  await workspace.approve(id)
  expect(await workspace.approvals.asksAbout('wipe', {})).toBe(false)
  expect(await made(workspace, 'wipe', {})).toBe('ran')
  expect(await workspace.approvals.asksAbout('wipe', {})).toBe(true)
})

test('a call that would be refused for another reason does not ask', async () => {
  const policy = { permissions: { ask: ['wipe'] } }
  const limits = { sameCalls: 1 }
  const workspace = await aCleaner({ policy, limits })
  const id = await asked(workspace)
  await workspace.approve(id)
  expect(await made(workspace, 'wipe', {})).toBe('ran')
  expect(await workspace.approvals.asksAbout('wipe', {})).toBe(false)
  expect(await made(workspace, 'wipe', {})).toBe('call-repeated')
  expect(await workspace.approvals.asksAbout('wipe', { more: 1 })).toBe(true)
})

test('a call that was made before in its step does not ask, whatever its id is in another step', async () => {
  const workspace = await aCleaner()
  expect(await workspace.approvals.asksAbout('wipe', {}, { call: 'c1' })).toBe(true)
  await made(workspace, 'wipe', {}, 'c1')
  await workspace.approve(workspace.state.confirmations[0]?.id ?? '')
  expect(await made(workspace, 'wipe', {}, 'c1')).toBe('ran')
  expect(await workspace.approvals.asksAbout('wipe', {}, { call: 'c1' })).toBe(false)
  expect(await workspace.approvals.asksAbout('wipe', {}, { call: 'c2' })).toBe(true)
  await workspace.beginStep()
  expect(await workspace.approvals.asksAbout('wipe', {}, { call: 'c1' })).toBe(true)
})

test('arguments that do not match the schema lead to no question', async () => {
  const picky = aTool('picky', {
    requiresConfirmation: true,
    inputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
  })
  const workspace = await aWorkspace({ tools: [picky] })
  expect(await workspace.approvals.asksAbout('picky', {})).toBe(false)
  expect(await made(workspace, 'picky', {})).toBe('input-invalid')
  expect(await workspace.approvals.asksAbout('picky', { n: 1 })).toBe(true)
})

test('a call of a found tool is judged as it will be once it has activated its skill', async () => {
  const skill = aSkill('cleaning', { tools: [WIPE], permissions: ['other'] })
  const options = (allowedTools: 'ignore' | 'restrict') => ({
    log: createMemoryLog(),
    discovery: {},
    metaTools: ['tool_search'] as const,
    policy: { permissions: { allowedTools } },
  })
  for (const effect of ['ignore', 'restrict'] as const) {
    const workspace = await aWorkspace({ skills: [skill] }, options(effect))
    await workspace.beginStep()
    await workspace.callTool('tool_search', { query: 'wipe' }, { caller: 'model' })
    const asks = await workspace.approvals.asksAbout('wipe', {})
    expect(workspace.skillManager.getActiveSkills()).toEqual([])
    const code = await made(workspace, 'wipe', {})
    expect(workspace.skillManager.getActiveSkills()).toHaveLength(effect === 'ignore' ? 1 : 0)
    expect(asks).toBe(code === 'confirmation-required')
  }
})

test('a question about a call writes nothing', async () => {
  const workspace = await aCleaner()
  const before = await workspace.entries()
  await workspace.approvals.asksAbout('wipe', {})
  expect(await workspace.entries()).toEqual(before)
})
