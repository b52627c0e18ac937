import fc from 'fast-check'
import { createCatalog, createMemoryLog, VirtualWorkspace } from 'loadout'
import type { Rule } from '../../src/engine/model/policy.ts'
import { expect, test } from 'vitest'
import { aSkill, aTool } from './a-workspace.ts'

const catalog = await createCatalog({
  skills: [
    aSkill('alpha', {
      permissions: ['one', 'alpha_tool'],
      tools: [aTool('alpha_tool', { risk: 'moderate' })],
    }),
    aSkill('beta', {
      permissions: ['t*', 'Bash(x)'],
      tools: [aTool('beta_tool', { category: 'retrieval' })],
    }),
    aSkill('plain'),
  ],
  tools: [
    aTool('one', { category: 'retrieval', requiresConfirmation: true }),
    aTool('two', { category: 'action', risk: 'destructive', requiresConfirmation: true }),
    aTool('three', { modes: ['voice', 'kiosk'] }),
  ],
})
const names = ['one', 'two', 'three', 'alpha_tool', 'beta_tool', 'plain_tool']

const rule = fc.constantFrom<Rule>(
  'one',
  't*',
  '*_tool',
  { skill: 'alpha' },
  { source: 'global' },
  { risk: ['moderate', 'destructive'] },
  { tool: 'two', where: { a: '1' } },
)
const rules = fc.array(rule, { maxLength: 2 })
const permissions = fc.record({
  deny: rules,
  ask: rules,
  allow: rules,
  allowedTools: fc.constantFrom('ignore' as const, 'pre-approve' as const, 'restrict' as const),
})
const step = fc.oneof(
  fc.record({
    do: fc.constant('activate' as const),
    skill: fc.constantFrom('alpha', 'beta', 'plain'),
  }),
  fc.record({ do: fc.constant('deactivate' as const), skill: fc.constantFrom('alpha', 'beta') }),
  fc.record({ do: fc.constant('call' as const), tool: fc.constantFrom(...names) }),
  fc.record({ do: fc.constant('turn' as const) }),
  fc.record({ do: fc.constant('mode' as const), mode: fc.constantFrom('voice', 'text', 'kiosk') }),
  fc.record({ do: fc.constant('permit' as const), permissions }),
  fc.record({ do: fc.constant('reopen' as const) }),
)
const modes = { kiosk: { tools: ['one', 'two', 'alpha*'], calls: 3, callsInSession: 6 } }

test('lists, explain, the gate and the budgets agree, whatever the rules, modes and skills are', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      const options = { catalog, log: createMemoryLog(), session: 's', policy: { modes } }
      let workspace = await VirtualWorkspace.open(options)
      for (const one of steps) {
        switch (one.do) {
          case 'activate':
            await workspace.activateSkill(one.skill)
            break
          case 'deactivate':
            await workspace.deactivateSkill(one.skill)
            break
          case 'turn':
            await workspace.beginTurn()
            break
          case 'mode':
            await workspace.setMode(one.mode)
            break
          case 'permit':
            await workspace.setPermissions(one.permissions)
            break
          case 'reopen': {
            const { state } = workspace
            workspace = await VirtualWorkspace.open(options)
            expect(workspace.state.policy).toEqual(state.policy)
            expect(workspace.state.callsThisTurn).toEqual(state.callsThisTurn)
            expect(workspace.state.callsInSession).toEqual(state.callsInSession)
            break
          }
          case 'call':
            await callAndCompare(workspace, one.tool)
        }
        agree(workspace)
      }
    }),
    { numRuns: 60 },
  )
})

async function callAndCompare(workspace: VirtualWorkspace, tool: string): Promise<void> {
  const told = workspace.explain(tool)
  const listed = workspace.tools().find(({ name }) => name === tool)
  const before = workspace.state.callsInSession
  const response = await workspace.callTool(tool, {})
  expect(workspace.state.callsInSession - before).toBe(response.ok ? 1 : 0)
  if (response.ok) expect([told.status, listed?.asks]).toEqual(['available', false])
  else {
    const expected = told.status === 'available' ? 'confirmation-required' : told.status
    expect(response.error.details).toMatchObject({ code: expected })
  }
}

function agree(workspace: VirtualWorkspace): void {
  const callable = new Set(workspace.getAvailableTools().map(({ name }) => name))
  for (const { name, status, asks } of workspace.tools()) {
    const told = workspace.explain(name)
    expect(told.status).toBe(status)
    expect(callable.has(name)).toBe(status === 'available')
    expect(workspace.isToolAvailable(name)).toBe(status === 'available')
    if (asks) expect(told.because.some(({ text }) => /\basks\b/.test(text))).toBe(true)
    if (status !== 'available') expect(told.fix).not.toBe('')
    for (const { seq } of told.because) expect(seq).toBeLessThanOrEqual(workspace.state.seq)
  }
}
