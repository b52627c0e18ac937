import { createMemoryLog, defineTool, WorkspaceError } from 'loadout'
import type { Rule } from '../../src/engine/model/policy.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { aSkill, aTool, aWorkspace, history } from './a-workspace.ts'

const shell = defineTool({
  name: 'shell',
  description: 'Runs a command.',
  inputSchema: z.object({
    command: z.string().transform((text) => text.trim()),
    dry: z.boolean().optional(),
  }),
  execute: ({ command }) => command,
})
const pay = aTool('pay', { requiresConfirmation: true, risk: 'destructive' })

const code = async (answer: Promise<{ readonly ok: boolean }>) => {
  const got = (await answer) as {
    ok: boolean
    error?: { type: string; details?: { code?: string } }
  }
  return got.ok ? 'ran' : (got.error?.details?.code ?? got.error?.type)
}

test('a rule about arguments leaves the tool available, and refuses the calls it is about', async () => {
  const rule: Rule = { tool: 'shell', where: { command: 'rm *' } }
  const workspace = await aWorkspace(
    { tools: [shell] },
    { policy: { permissions: { deny: [rule] } } },
  )
  expect(workspace.isToolAvailable('shell')).toBe(true)
  expect(await code(workspace.callTool('shell', { command: 'ls' }))).toBe('ran')
  const denied = await workspace.callTool('shell', { command: 'rm -rf x' })
  expect(denied).toMatchObject({
    error: {
      type: 'DENIED',
      message:
        'This call of "shell" is denied by the policy: "shell" with argument command like "rm *". Other arguments may be allowed. Otherwise, ask the host to change its permissions.',
      retryable: false,
      partialSideEffects: false,
      details: { code: 'denied' },
    },
  })
  expect(await code(workspace.callTool('shell', { command: '  rm -rf x' }))).toBe('denied')
  expect(await history(workspace, 2)).toEqual([
    'call.started global',
    'call.ended shell',
    'command.refused shell (denied)',
    'command.refused shell (denied)',
  ])
  expect(JSON.stringify(await workspace.entries())).not.toContain('rm -rf')
})

test('explain names the rule that decides, and those that decide of some calls', async () => {
  const workspace = await aWorkspace(
    { tools: [shell, pay, aTool('drop'), aTool('read', { requiresConfirmation: true })] },
    {
      policy: {
        permissions: {
          deny: [{ tool: 'drop', risk: ['safe', 'moderate'] }],
          ask: [{ tool: 'shell', where: { command: 'git push*' } }],
          allow: ['re*'],
        },
      },
    },
  )
  const told = (name: string) =>
    workspace
      .explain(name)
      .because.map(({ text }) => text)
      .slice(1)
  expect(Object.fromEntries(['shell', 'pay', 'drop', 'read'].map((name) => [name, told(name)])))
    .toMatchInlineSnapshot(`
      {
        "drop": [
          "The policy denies "drop" with risk safe or moderate.",
        ],
        "pay": [
          "Its definition asks for a confirmation of each call.",
        ],
        "read": [
          "The policy lets it run without asking, by the rule: "re*".",
        ],
        "shell": [
          "The policy asks first before calls with argument command like "git push*".",
        ],
      }
    `)
  expect(
    workspace
      .tools()
      .filter(({ asks }) => asks)
      .map(({ name }) => name),
  ).toEqual(['pay'])
})

test('deny beats ask, ask beats allow, and allow beats the definition', async () => {
  const workspace = await aWorkspace({ tools: [pay] })
  expect(await code(workspace.callTool('pay', {}))).toBe('confirmation-required')
  await workspace.setPermissions({ allow: ['pay'] })
  expect(await code(workspace.callTool('pay', {}))).toBe('ran')
  await workspace.setPermissions({ ask: [{ risk: 'destructive' }] })
  expect(await code(workspace.callTool('pay', {}))).toBe('confirmation-required')
  await workspace.setPermissions({ deny: [{ source: 'global' }] })
  expect(await code(workspace.callTool('pay', {}))).toBe('denied')
  expect(workspace.explain('pay')).toMatchObject({
    status: 'denied',
    because: [{}, { seq: workspace.state.policySince, text: 'The policy denies source "global".' }],
  })
})

test('a rule holds for a tool that is found, by the skill that would bring it', async () => {
  const skill = aSkill('billing', {
    tools: [aTool('refund', { description: 'Refunds an order.' })],
  })
  const workspace = await aWorkspace(
    { skills: [skill] },
    { policy: { permissions: { deny: [{ skill: 'billing' }] } } },
  )
  expect(workspace.explain('refund').fix).toBe(
    'Activate the skill "billing". Even then the tool would be denied.',
  )
  await workspace.activateSkill('billing')
  expect(workspace.explain('refund').status).toBe('denied')
})

test('rules set in one process hold for the next call in another', async () => {
  const log = createMemoryLog()
  const options = { log, session: 's' }
  const one = await aWorkspace({ tools: [shell] }, options)
  const other = await aWorkspace({ tools: [shell] }, options)
  await one.setPermissions({ deny: [{ tool: 'shell', where: { command: 'rm*' } }] })
  expect(await code(other.callTool('shell', { command: 'rm x' }))).toBe('denied')
  expect(await code(other.callTool('shell', { command: 'ls' }))).toBe('ran')
})

test('a session keeps its rules and its mode when it is resumed', async () => {
  const log = createMemoryLog()
  const permissions = {
    ask: [{ where: { dry: 'false' } }],
    allow: ['pay'],
    allowedTools: 'restrict',
  } as const
  const first = await aWorkspace(
    { tools: [shell, pay] },
    { log, session: 's', policy: { permissions, mode: 'voice', callsPerTurn: { action: 1 } } },
  )
  const again = await aWorkspace({ tools: [shell, pay] }, { log, session: 's' })
  expect(again.state.policy).toEqual(first.state.policy)
  await again.setMode('text')
  expect(again.state.policy).toMatchObject({ ...permissions, mode: 'text' })
  expect(again.state.policy.limits.callsPerTurn).toEqual({ action: 1 })
  expect(await again.setPermissions(permissions)).toMatchObject({ ok: true, seq: again.state.seq })
})

test.each<{ title: string; permissions: object; issue: string }>([
  {
    title: 'a member misspelt',
    permissions: { allow: [{ tol: 'read' }] },
    issue:
      'allow.0 has no field "tol"; the fields are tool, skill, source, risk, where, ignoreCase and when',
  },
  { title: 'no list', permissions: { deny: 'read' }, issue: 'deny must be a list of rules' },
  { title: 'an unknown risk', permissions: { ask: [{ risk: 'high' }] }, issue: 'ask.0 must be' },
  {
    title: 'an unknown effect',
    permissions: { allowedTools: 'allow' },
    issue: 'allowedTools must be "ignore", "pre-approve" or "restrict"',
  },
])('$title is refused before anything is written', async ({ permissions, issue }) => {
  const log = createMemoryLog()
  const opening = aWorkspace({ tools: [pay] }, {
    log,
    session: 's',
    policy: { permissions },
  } as never)
  const error = await opening.catch((problem: unknown) => problem)
  expect(WorkspaceError.is(error)).toBe(true)
  expect(error).toMatchObject({ code: 'POLICY_INVALID', message: expect.stringContaining(issue) })
  expect(await log.read('s')).toHaveLength(0)
  const workspace = await aWorkspace({ tools: [pay] })
  const before = workspace.state
  await expect(workspace.setPermissions(permissions)).rejects.toThrow(issue)
  expect(workspace.state).toBe(before)
})

test('what a tool that is not trusted says of its risk is not believed where that seems safe', async () => {
  const workspace = await aWorkspace(
    {},
    { policy: { permissions: { ask: [{ risk: 'moderate' }] } } },
  )
  await workspace.registerTool(aTool('mine', { risk: 'safe' }))
  await workspace.registerTool(aTool('theirs', { risk: 'safe' }), { trusted: false })
  expect(workspace.tools().map(({ name, asks }) => [name, asks])).toEqual([
    ['mine', false],
    ['theirs', true],
  ])
  expect(await code(workspace.callTool('theirs', {}))).toBe('confirmation-required')
})
