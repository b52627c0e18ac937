import type { VirtualWorkspace } from 'loadout'
import { expect, test } from 'vitest'
import type { Rule } from '../../src/engine/model/policy.ts'
import { routes } from '../../scripts/torture/routes.ts'
import { holds } from '../torture/holds.ts'
import { aSkill, aTool, aWorkspace } from './a-workspace.ts'

const input = { inputSchema: { type: 'object', properties: { x: { type: 'number' } } } } as const
const definitions = {
  skills: [
    aSkill('vault', {
      displayName: 'Strong room',
      aliases: ['safe'],
      tools: [aTool('vault_door', input)],
    }),
    aSkill('hall', { requires: ['vault'], tools: [aTool('hall_door')] }),
  ],
  tools: [aTool('open_tool', input)],
}

/** A session that has found every tool, and then got its rules. */
async function withRules(rules: Partial<Record<'deny' | 'ask' | 'allow', readonly Rule[]>>) {
  const workspace = await aWorkspace(definitions, {
    metaTools: ['call_tool', 'tool_search', 'loadSkill'],
    discovery: { onFound: 'activate-on-call' },
  })
  await workspace.beginTurn()
  for (const query of ['vault', 'hall', 'open']) {
    await workspace.callTool('tool_search', { query, limit: 10 }, { caller: 'model' })
  }
  await workspace.setPermissions(rules)
  return workspace
}

async function code(workspace: VirtualWorkspace, tool: string, given: object): Promise<unknown> {
  const response = await workspace.callTool(tool, given, { caller: 'model' })
  return response.ok ? 'ran' : response.error.details['code']
}

const bridge = { name: 'open_tool', arguments: { x: 1 } }

test.each<[{ deny?: Rule[]; ask?: Rule[] }, string]>([
  [{ ask: ['call_tool'] }, 'confirmation-required'],
  [{ ask: [{ tool: 'call_tool', where: { name: '*' } }] }, 'confirmation-required'],
  [{ deny: [{ tool: 'call_tool', where: { name: 'open_tool' } }] }, 'denied'],
  [{ deny: [{ tool: 'call_tool', where: { 'arguments.x': '1' } }] }, 'denied'],
  [{ deny: ['call_tool'] }, 'denied'],
  [{ ask: ['call_tool'], deny: ['open_tool'] }, 'denied'],
  [{ deny: [{ tool: 'call_tool', where: { name: 'other' } }] }, 'ran'],
])('a call through call_tool under %j is %s', async (rules, expected) => {
  const workspace = await withRules(rules)
  const asks = expected === 'confirmation-required'
  expect(await workspace.approvals.asksAbout('call_tool', bridge)).toBe(asks)
  expect(await code(workspace, 'call_tool', bridge)).toBe(expected)
})

test('a rule about the name that call_tool gets holds for every address of the tool', async () => {
  const workspace = await withRules({
    deny: [{ tool: 'call_tool', where: { name: 'vault_door' } }],
  })
  await workspace.activateSkill('vault')
  for (const name of ['vault_door', 'vault/vault_door', 'skill:vault/vault_door']) {
    expect(await code(workspace, 'call_tool', { name, arguments: {} })).toBe('denied')
  }
})

test('a call through call_tool that was approved runs once, whatever was approved for its tool', async () => {
  const workspace = await withRules({ ask: ['call_tool'] })
  expect(await code(workspace, 'call_tool', bridge)).toBe('confirmation-required')
  await workspace.approve(workspace.state.confirmations[0]?.id ?? '', { remember: 'session' })
  expect(await code(workspace, 'call_tool', bridge)).toBe('ran')
  expect(await code(workspace, 'call_tool', bridge)).toBe('confirmation-required')
  expect(await code(workspace, 'open_tool', { x: 1 })).toBe('ran')
})

test.each<[{ deny?: Rule[]; ask?: Rule[] }]>([
  [{ deny: ['loadSkill'] }],
  [{ ask: ['loadSkill'] }],
  [{ deny: [{ tool: 'loadSkill', where: { skillName: 'vault' } }] }],
])('the call of a found tool loads no skill under %j', async (rules) => {
  const workspace = await withRules(rules)
  for (const tool of ['vault_door', 'hall_door']) {
    expect(await code(workspace, tool, {})).toBe('skill-inactive')
    expect(await code(workspace, 'call_tool', { name: tool })).toBe('skill-inactive')
    expect(workspace.explain(tool).because.at(-1)?.text).toContain('loadSkill')
  }
  expect(workspace.skillManager.getActiveSkills()).toEqual([])
})

test('the call of a found tool loads no skill while loadSkill is switched off', async () => {
  const workspace = await withRules({})
  await workspace.setToolEnabled('loadSkill', false)
  expect(await code(workspace, 'vault_door', {})).toBe('skill-inactive')
  await workspace.setToolEnabled('loadSkill', true)
  expect(await code(workspace, 'vault_door', {})).toBe('ran')
})

test('a rule about loading a skill holds for its other names and for skills that require it', async () => {
  const workspace = await withRules({
    deny: [{ tool: 'loadSkill', where: { skillName: 'vault' } }],
  })
  for (const skillName of ['vault', 'Strong room', 'hall']) {
    expect(await code(workspace, 'loadSkill', { skillName })).toBe('denied')
  }
})

test.each(['vault', 'Strong room', 'safe'])(
  'a rule about loading a skill by the name %s holds for every name of it',
  async (name) => {
    const rule = { tool: 'loadSkill', where: { skillName: name } }
    const denied = await withRules({ deny: [rule] })
    for (const skillName of ['vault', 'STRONG_ROOM', 'safe', 'hall']) {
      expect(await code(denied, 'loadSkill', { skillName })).toBe('denied')
    }
    expect(await code(denied, 'vault_door', {})).toBe('skill-inactive')
    const asking = await withRules({ ask: [rule] })
    expect(await code(asking, 'loadSkill', { skillName: 'vault' })).toBe('confirmation-required')
  },
)

test('a search does not offer what no rule lets a model load', async () => {
  const workspace = await withRules({ deny: ['loadSkill'] })
  const page = await workspace.callTool('tool_search', { query: 'vault door' })
  expect(page).toMatchObject({ ok: true })
  expect(JSON.stringify(page)).not.toContain('vault_door')
})

test('rules hold on every route, and lists, explain and the gate agree', async () => {
  const { figures } = await holds(routes, 0.02)
  expect(figures['calls that ran']).toBeGreaterThan(0)
})
