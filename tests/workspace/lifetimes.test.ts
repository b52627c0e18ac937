import { createMemoryLog, type Entry, type Lifetime, type Outcome } from 'loadout'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { aSkill, aTool, aWorkspace, available, history } from './a-workspace.ts'

const failing = aTool('once', {
  execute: () => {
    throw new Error('no')
  },
})

test.each<{ what: string; tool: ReturnType<typeof aTool>; ok: boolean }>([
  { what: 'a call that went well', tool: aTool('once'), ok: true },
  { what: 'a call that failed', tool: failing, ok: false },
])('a skill for one use is gone after $what', async ({ tool, ok }) => {
  const left: string[] = []
  const workspace = await aWorkspace({
    skills: [
      aSkill('single', {
        tools: [tool],
        lifetime: { uses: 1 },
        onDeactivate: ({ skill }) => void left.push(skill),
      }),
    ],
  })
  await workspace.activateSkill('single')
  expect((await workspace.callTool('once', {})).ok).toBe(ok)
  expect(available(workspace)).toEqual([])
  expect(left).toEqual(['single'])
  expect(workspace.explain('once').because).toEqual([
    { seq: 4, text: 'Skill "single" was deactivated because its lifetime ended.' },
  ])
})

test('a refused call spends nothing', async () => {
  const skill = aSkill('single', {
    tools: [
      aTool('once', {
        inputSchema: z.object({ name: z.string() }) as never,
        requiresConfirmation: true,
      }),
    ],
    lifetime: { uses: 1 },
  })
  const workspace = await aWorkspace({ skills: [skill] })
  await workspace.activateSkill('single')
  expect(await workspace.callTool('once', { name: 1 })).toMatchObject({
    error: { type: 'VALIDATION' },
  })
  expect(await workspace.callTool('once', { name: 'a' })).toMatchObject({
    error: { type: 'CONFIRMATION_REQUIRED' },
  })
  await workspace.setToolEnabled('once', false)
  expect(await workspace.callTool('once', { name: 'a' })).toMatchObject({
    error: { type: 'UNAVAILABLE' },
  })
  await workspace.setToolEnabled('once', true)
  await workspace.approve(workspace.state.confirmations[0]?.id ?? '')
  expect(await workspace.callTool('once', { name: 'a' })).toMatchObject({ ok: true })
  expect(available(workspace)).toEqual([])
})

test('a second call while the only one runs is refused, and the skill leaves when the first ends', async () => {
  const gate = Promise.withResolvers<void>()
  const slow = aTool('once', { execute: () => gate.promise.then(() => 'done') })
  const workspace = await aWorkspace({
    skills: [aSkill('single', { tools: [slow], lifetime: { uses: 1 } })],
  })
  await workspace.activateSkill('single')
  const first = workspace.callTool('once', {})
  expect(await workspace.callTool('once', {})).toMatchObject({
    error: { type: 'BUDGET_EXCEEDED', details: { code: 'budget-spent', owner: 'single' } },
  })
  expect(workspace.explain('once')).toMatchObject({
    status: 'budget-spent',
    because: [{ seq: 1 }, { seq: 2, text: 'The uses of "single" are spent.' }],
    fix: 'Deactivate "single" and activate it again.',
  })
  expect(workspace.skillManager.getActiveSkill()?.name).toBe('single')
  gate.resolve()
  expect(await first).toMatchObject({ ok: true, data: 'done' })
  expect(workspace.skillManager.getActiveSkill()).toBeNull()
})

/** A call of a skill for one use that ends just before three calls of another tool. */
async function endingTogether() {
  const gate = Promise.withResolvers<void>()
  const slow = (name: string) => aTool(name, { execute: () => gate.promise })
  const workspace = await aWorkspace(
    { skills: [aSkill('single', { tools: [slow('once')], lifetime: { uses: 1 } })] },
    { tools: [slow('clock')] },
  )
  await workspace.activateSkill('single')
  const calls: Promise<unknown>[] = []
  for (const tool of ['once', 'clock', 'clock', 'clock']) {
    calls.push(workspace.callTool(tool, {}))
    while (workspace.state.calls.length < calls.length) await workspace.beginTurn()
  }
  const end = () => {
    gate.resolve()
    return Promise.all(calls)
  }
  return { workspace, end }
}

test('the end of a lifetime is one entry, however many calls end with it', async () => {
  const { workspace, end } = await endingTogether()
  await end()
  const entries = await history(workspace)
  expect(entries.filter((entry) => entry === 'source.closed single')).toHaveLength(1)
  expect(entries.filter((entry) => entry.startsWith('command.refused'))).toEqual([])
})

test('a new activation is not ended by the lifetime of the earlier one', async () => {
  const { workspace, end } = await endingTogether()
  const again: Promise<Outcome>[] = []
  workspace.subscribe((_, entries) => {
    const last = entries.at(-1)?.event
    if (again.length === 0 && last?.type === 'call.ended' && workspace.state.calls.length === 2) {
      again.push(workspace.activateSkill('single'))
    }
  })
  await end()
  expect(await Promise.all(again)).toMatchObject([{ ok: true }])
  expect(available(workspace)).toEqual(['clock', 'once'])
})

test('uses are counted in the log, over processes', async () => {
  const log = createMemoryLog()
  const definitions = { skills: [aSkill('few', { lifetime: { uses: 2 } })] }
  const first = await aWorkspace(definitions, { log, session: 's' })
  await first.activateSkill('few')
  await first.callTool('few_tool', {})
  const second = await aWorkspace(definitions, { log, session: 's' })
  expect(await second.callTool('few_tool', {})).toMatchObject({ ok: true })
  expect(await first.callTool('few_tool', {})).toMatchObject({
    error: { details: { code: 'skill-inactive' } },
  })
})

test('an activation may set a lifetime of its own', async () => {
  const workspace = await aWorkspace({ skills: [aSkill('any')] })
  await workspace.activateSkill('any', { lifetime: { uses: 1 } })
  await workspace.callTool('any_tool', {})
  expect(available(workspace)).toEqual([])
})

test.each<{ lifetime: unknown }>([
  { lifetime: { days: 3 } },
  { lifetime: { uses: 0 } },
  { lifetime: { uses: -1 } },
  { lifetime: { uses: 1.5 } },
  { lifetime: { uses: 1, turns: 1 } },
  { lifetime: 'forever' },
  { lifetime: {} },
  { lifetime: null },
])('the lifetime $lifetime is refused, not taken for the session', async ({ lifetime }) => {
  const workspace = await aWorkspace({ skills: [aSkill('single')] })
  const before = workspace.state.open
  const outcome = await workspace.activateSkill('single', { lifetime: lifetime as 'session' })
  expect(outcome).toMatchObject({ ok: false, code: 'lifetime-invalid' })
  expect(workspace.state.open).toBe(before)
})

test('a skill that leaves with one it requires is not reported as required by it', async () => {
  const workspace = await aWorkspace({
    skills: [aSkill('base'), aSkill('top', { requires: ['base'] })],
  })
  await workspace.activateSkill('base')
  await workspace.activateSkill('top')
  await workspace.deactivateSkill('base', { cascade: true })
  expect(workspace.explainSkill('top')).toMatchObject({
    status: 'inactive',
    because: [{ text: 'Skill "top" was deactivated along with "base".' }],
  })
  await workspace.activateSkill('top')
  expect(workspace.explainSkill('base').because).toMatchObject([
    { text: 'Skill "base" was activated because "top" requires it.' },
  ])
})

test('a skill whose uses are spent stays active for the skills that require it, and leaves with them', async () => {
  const workspace = await aWorkspace({
    skills: [aSkill('base', { lifetime: { uses: 1 } }), aSkill('top', { requires: ['base'] })],
  })
  await workspace.activateSkill('base')
  await workspace.activateSkill('top')
  await workspace.callTool('base_tool', {})
  expect(workspace.explain('base_tool').status).toBe('available')
  await workspace.deactivateSkill('top')
  expect(workspace.explainSkill('base').status).toBe('inactive')
})

test('a required skill that is asked for itself has the lifetime it is asked for', async () => {
  const workspace = await aWorkspace({
    skills: [aSkill('base'), aSkill('top', { requires: ['base'] })],
  })
  await workspace.activateSkill('top')
  await workspace.activateSkill('base', { lifetime: { uses: 1 } })
  await workspace.callTool('base_tool', {})
  expect((await workspace.entries()).at(-1)?.event).toEqual({
    type: 'source.kept',
    owner: 'base',
    requested: false,
    lifetime: 'session',
  })
})

test('a spent skill that cannot leave is not reported as usable, and the hint says how to get it back', async () => {
  let stuck = true
  const onDeactivate = () => {
    if (stuck) throw new Error('stuck')
  }
  const skill = aSkill('single', { lifetime: { uses: 1 }, onDeactivate })
  const workspace = await aWorkspace({ skills: [skill] })
  await workspace.activateSkill('single')
  await workspace.callTool('single_tool', {})
  const { status, fix } = workspace.explain('single_tool')
  expect({ status, fix }).toEqual({
    status: 'budget-spent',
    fix: 'Deactivate "single" and activate it again.',
  })
  expect(await workspace.activateSkill('single')).toMatchObject({
    code: 'skill-already-active',
    hint: 'Its uses are spent. To activate it again, deactivate it first.',
  })
  stuck = false
  await workspace.deactivateSkill('single')
  await workspace.activateSkill('single')
  expect(available(workspace)).toEqual(['single_tool'])
})

test.each<{ lifetime: Lifetime; calls: readonly number[]; gone: number }>([
  { lifetime: { turns: 1 }, calls: [], gone: 2 },
  { lifetime: { turns: 3 }, calls: [1, 2, 3], gone: 4 },
  { lifetime: { idle: 1 }, calls: [], gone: 3 },
  { lifetime: { idle: 1 }, calls: [1, 2], gone: 4 },
  { lifetime: { idle: 2 }, calls: [3], gone: 6 },
])(
  'a skill activated in turn 1 for $lifetime, called in turns $calls, is gone in turn $gone',
  async ({ lifetime, calls, gone }) => {
    const workspace = await aWorkspace({ skills: [aSkill('any', { lifetime })] })
    await workspace.beginTurn()
    await workspace.activateSkill('any')
    const inTurns: number[] = []
    for (let turn = 1; turn <= gone; turn += 1) {
      if (turn > 1) await workspace.beginTurn()
      if (workspace.isToolAvailable('any_tool')) inTurns.push(turn)
      if (calls.includes(turn)) await workspace.callTool('any_tool', {})
    }
    expect(inTurns).toEqual(Array.from({ length: gone - 1 }, (_, index) => index + 1))
    expect(workspace.explain('any_tool').because.at(-1)?.text).toBe(
      'Skill "any" was deactivated because its lifetime ended.',
    )
  },
)

test('a skill activated before the first turn lasts as long as one activated in it', async () => {
  const workspace = await aWorkspace({ skills: [aSkill('any', { lifetime: { turns: 1 } })] })
  await workspace.activateSkill('any')
  await workspace.beginTurn()
  expect(available(workspace)).toEqual(['any_tool'])
  await workspace.beginTurn()
  expect(available(workspace)).toEqual([])
})

test.each<{ lifetime: Lifetime }>([{ lifetime: { turns: 1 } }, { lifetime: { idle: 1 } }])(
  'a skill activated for $lifetime between two turns lasts as long as one activated in the second',
  async ({ lifetime }) => {
    const lastsFor = async (isBetween: boolean) => {
      const workspace = await aWorkspace({ skills: [aSkill('any', { lifetime })] })
      await workspace.beginTurn()
      await workspace.endTurn()
      if (isBetween) await workspace.activateSkill('any')
      await workspace.beginTurn()
      if (!isBetween) await workspace.activateSkill('any')
      let turns = 0
      for (; workspace.isToolAvailable('any_tool'); turns += 1) await workspace.beginTurn()
      return turns
    }
    expect(await lastsFor(true)).toBe(await lastsFor(false))
  },
)

test('a skill stays past its turns while another one requires it', async () => {
  const workspace = await aWorkspace({
    skills: [aSkill('base', { lifetime: { turns: 1 } }), aSkill('top', { requires: ['base'] })],
  })
  await workspace.activateSkill('base')
  await workspace.activateSkill('top')
  await workspace.beginTurn()
  await workspace.beginTurn()
  expect(available(workspace)).toEqual(['base_tool', 'top_tool'])
  expect((await history(workspace)).at(-1)).toBe('source.kept base')
  await workspace.deactivateSkill('top')
  expect(available(workspace)).toEqual([])
})

test('a skill whose turns are over lets the call that is running end', async () => {
  const gate = Promise.withResolvers<void>()
  const started = Promise.withResolvers<void>()
  const slow = aTool('slow', {
    execute: () => {
      started.resolve()
      return gate.promise.then(() => 'done')
    },
  })
  const workspace = await aWorkspace({
    skills: [aSkill('any', { tools: [slow], lifetime: { turns: 1 } })],
  })
  await workspace.beginTurn()
  await workspace.activateSkill('any')
  const running = workspace.callTool('slow', {})
  await started.promise
  await workspace.beginTurn()
  expect(workspace.explain('slow')).toMatchObject({
    status: 'budget-spent',
    fix: 'Deactivate "any" and activate it again.',
  })
  expect(workspace.explain('slow').because.at(-1)?.text).toBe('The turns of "any" are over (1).')
  gate.resolve()
  expect(await running).toMatchObject({ ok: true })
  expect(workspace.skillManager.getActiveSkill()).toBeNull()
})

test('a skill whose hook does not let it go is tried again at the next turn, and refused till then', async () => {
  let fails = true
  const workspace = await aWorkspace({
    skills: [
      aSkill('any', {
        lifetime: { turns: 1 },
        onDeactivate: () => {
          if (fails) throw new Error('not yet')
        },
      }),
    ],
  })
  await workspace.activateSkill('any')
  await workspace.beginTurn()
  await workspace.beginTurn()
  expect(workspace.explain('any_tool').status).toBe('budget-spent')
  expect((await history(workspace)).at(-1)).toBe('activation.failed any')
  fails = false
  await workspace.beginTurn()
  expect(workspace.explain('any_tool').status).toBe('skill-inactive')
})

test('a skill that goes says what that frees and loses', async () => {
  const workspace = await aWorkspace(
    { skills: [aSkill('any', { lifetime: { turns: 1 } })], tools: [aTool('before')] },
    { tokenCounter: { name: 'letters', count: (text) => text.length } },
  )
  await workspace.activateSkill('any')
  await workspace.registerTool(aTool('after'))
  const { tools } = await workspace.beginStep()
  expect(tools.map(({ name }) => name)).toEqual(['before', 'after', 'any_tool'])
  await workspace.beginTurn()
  await workspace.beginTurn()
  const { event } = (await workspace.entries()).at(-1) as Entry
  expect(event).toMatchObject({ type: 'source.closed', owner: 'any' })
  const price = event.type === 'source.closed' ? event.price : undefined
  expect(price?.tokensFreed).toBeGreaterThan(0)
  expect(price?.prefixLost).toBeGreaterThanOrEqual(0)
})

test('a tool that another skill brings, too, frees nothing when one of them goes', async () => {
  const shared = aTool('shared')
  const workspace = await aWorkspace({
    skills: [aSkill('a', { tools: [shared] }), aSkill('b', { tools: [shared] })],
  })
  await workspace.activateSkill('a')
  await workspace.activateSkill('b')
  await workspace.beginStep()
  await workspace.deactivateSkill('a')
  const { event } = (await workspace.entries()).at(-1) as Entry
  expect(event).toMatchObject({ price: { tokensFreed: 0, prefixLost: 0 } })
})
