import { createMemoryLog, type WorkspaceOptions } from 'loadout'
import { expect, test } from 'vitest'
import { aTool, aWorkspace, history } from './a-workspace.ts'

type CallBudget = NonNullable<WorkspaceOptions['budget']>
type BudgetedCall = Parameters<CallBudget['take']>[0]

/** A budget in memory. It keeps what was taken, and what was given back. */
function aBudget(calls: number): CallBudget & { readonly taken: BudgetedCall[]; left: number } {
  const taken: BudgetedCall[] = []
  return {
    taken,
    left: calls,
    async take(call) {
      if (this.left === 0) return null
      this.left -= 1
      taken.push(call)
      return async () => {
        this.left += 1
        taken.splice(taken.indexOf(call), 1)
      }
    },
  }
}

const definitions = {
  tools: [
    aTool('look', { category: 'retrieval' }),
    aTool('wipe', { risk: 'destructive', requiresConfirmation: true }),
    aTool('outer', {
      execute: (_: unknown, context: never) =>
        (context as { callTool: Function }).callTool('look', {}),
    }),
  ],
}

const SPENT = { type: 'BUDGET_EXCEEDED', details: { code: 'principal-spent' } }

test('two sessions of a principal share its calls, and a session of another has its own', async () => {
  const [budget, log] = [aBudget(3), createMemoryLog()]
  const options = { budget, log, principal: { id: 'ada' } }
  const [one, two] = [
    await aWorkspace(definitions, options),
    await aWorkspace(definitions, options),
  ]
  const answers = await Promise.all(
    [one, two, one, two, one].map((workspace) => workspace.callTool('look', {})),
  )
  expect(answers.filter(({ ok }) => ok)).toHaveLength(3)
  expect(answers.filter(({ ok }) => !ok)).toEqual([
    expect.objectContaining({ error: expect.objectContaining({ type: SPENT.type }) }),
    expect.objectContaining({ error: expect.objectContaining({ type: SPENT.type }) }),
  ])
  expect(await one.callTool('look', {})).toMatchObject({ ok: false, error: SPENT })
  expect((await history(one)).at(-1)).toBe('command.refused look (principal-spent)')
  expect(new Set(budget.taken.map(({ principal }) => principal))).toEqual(new Set(['ada']))
})

test('a verdict says that the call takes its part, and that it may be refused; meta-tools take none', async () => {
  const workspace = await aWorkspace(definitions, { budget: aBudget(0), metaTools: ['loadSkill'] })
  expect(workspace.explain('look')).toMatchObject({
    needs: ['take-part'],
    outcomes: ['run', 'refuse'],
  })
  expect(workspace.explain('loadSkill').needs).not.toContain('take-part')
  expect(await workspace.callTool('loadSkill', { skillName: 'x' })).not.toMatchObject({
    error: SPENT,
  })
  const free = await aWorkspace(definitions)
  expect(free.explain('look').needs).toEqual([])
})

test('a call that is refused or asked about takes nothing, and one that is approved does once', async () => {
  const budget = aBudget(2)
  const workspace = await aWorkspace(definitions, {
    budget,
    policy: { permissions: { deny: [{ tool: 'look', where: { a: 'no' } }] } },
  })
  await workspace.callTool('look', { a: 'no' })
  await workspace.callTool('nothing', {})
  const asked = await workspace.callTool('wipe', {})
  expect(await workspace.approvals.asksAbout('wipe', {})).toBe(true)
  await workspace.approvals.ask('look', {})
  expect(budget.taken).toEqual([])
  if (!asked.ok)
    await workspace.approve(String(asked.error.details['confirmation']), { by: 'user' })
  expect(await workspace.callTool('wipe', {})).toMatchObject({ ok: true })
  expect(budget.taken.map(({ tool }) => tool)).toEqual(['wipe'])
})

test('a call that is made again under its id is not taken again', async () => {
  const budget = aBudget(5)
  const workspace = await aWorkspace(definitions, { budget })
  await workspace.beginTurn()
  await workspace.beginStep()
  await workspace.callTool('look', {}, { call: 'a' })
  await workspace.callTool('look', {}, { call: 'a' })
  expect(budget.taken.map(({ call }) => call)).toEqual(['a'])
})

test('calls of handlers and of child sessions count for the same principal', async () => {
  const budget = aBudget(3)
  const workspace = await aWorkspace(definitions, { budget, principal: { id: 'ada' } })
  expect(await workspace.callTool('outer', {})).toMatchObject({ ok: true })
  const child = await workspace.sessions.child({})
  expect(await child.callTool('look', {})).toMatchObject({ ok: true })
  expect(await child.callTool('look', {})).toMatchObject({ ok: false, error: SPENT })
  expect(await workspace.callTool('outer', {})).toMatchObject({ ok: false, error: SPENT })
  await child.close()
})

test('a call that a budget of the session refuses is given back', async () => {
  const budget = aBudget(5)
  const parent = await aWorkspace(definitions, {
    budget,
    policy: { modes: { one: { callsInSession: 1 } }, mode: 'one' },
  })
  const child = await parent.sessions.child({})
  await child.callTool('look', {})
  expect(await child.callTool('look', {})).toMatchObject({
    error: { details: { code: 'budget-spent' } },
  })
  expect(budget.left).toBe(4)
})

test('without an answer of its budget no call is made, and the model reads nothing of the failure', async () => {
  const workspace = await aWorkspace(definitions, {
    budget: { take: () => Promise.reject(new Error('password=hunter22')) },
  })
  const answer = await workspace.callTool('look', {}, { caller: 'model' })
  expect(answer).toMatchObject({
    ok: false,
    error: { type: 'INTERNAL', retryable: true, details: { code: 'BUDGET_UNREADABLE' } },
  })
  expect(JSON.stringify(answer)).not.toContain('hunter22')
  expect(workspace.state.calls).toEqual([])
})

test.each([undefined, false, true, {}])(
  'a budget that resolves with %j, and not with null or a function, lets nothing run',
  async (given) => {
    const workspace = await aWorkspace(definitions, {
      budget: { take: async () => given as never },
    })
    expect(await workspace.callTool('look', {})).toMatchObject({
      ok: false,
      error: { details: { code: 'BUDGET_UNREADABLE' } },
    })
    expect(workspace.state.calls).toEqual([])
  },
)
