import { createMemoryLog, defineComponent, defineTool, type VirtualWorkspace } from 'loadout'
import { expect, test } from 'vitest'
import { aSkill, aTool, aWorkspace, available, history } from './a-workspace.ts'

type Definitions = Parameters<typeof aWorkspace>[0]

/** Two workspaces on one session, as of two processes. */
async function pair(definitions: Definitions, more: Definitions = definitions) {
  const log = createMemoryLog()
  const options = { log, session: 's' }
  return [await aWorkspace(definitions, options), await aWorkspace(more, options)] as const
}

test('each sees what the other did after its own next command', async () => {
  const [one, two] = await pair({ skills: [aSkill('owls'), aSkill('mice')] })
  await one.activateSkill('owls')
  expect(available(two)).toEqual([])
  expect(await two.activateSkill('mice')).toMatchObject({
    difference: { added: ['owls_tool', 'mice_tool'] },
  })
  expect(available(one)).toEqual(['owls_tool'])
  await one.beginTurn()
  expect(available(one)).toEqual(['owls_tool', 'mice_tool'])
  expect(one.state).toEqual(two.state.seq === one.state.seq ? two.state : one.state)
})

test.each<{ what: string; command: (one: VirtualWorkspace) => Promise<unknown>; code: string }>([
  {
    what: 'an activation',
    command: (one) => one.activateSkill('owls'),
    code: 'skill-already-active',
  },
  {
    what: 'a call of a tool that has left',
    command: async (one) => {
      const response = await one.callTool('clock', {})
      return response.ok ? response : { ok: false, code: response.error.details['code'] }
    },
    code: 'unknown',
  },
])('$what decided on a stale state is decided again', async ({ command, code }) => {
  const [one, two] = await pair({ skills: [aSkill('owls')] })
  await one.registerTool(aTool('clock'))
  await two.registerTool(aTool('clock'))
  await one.activateSkill('owls')
  await one.unregisterTool('clock')
  expect(await command(two)).toMatchObject({ ok: false, code })
})

test('a command that would change nothing is checked against the log, too', async () => {
  const [one, two] = await pair({ tools: [aTool('clock')] })
  await one.setToolEnabled('clock', false)
  await two.beginTurn()
  await one.setToolEnabled('clock', true)
  expect(available(two)).toEqual([])
  expect(await two.setToolEnabled('clock', false)).toMatchObject({ ok: true })
  expect(available(two)).toEqual([])
  await one.beginTurn()
  expect(available(one)).toEqual([])
})

/** A skill whose first hook waits at a gate, and notes what is run. */
function gated(name: string, ran: string[]) {
  const gate = Promise.withResolvers<void>()
  const entered = Promise.withResolvers<void>()
  const skill = aSkill(name, {
    onActivate: async ({ resumed }) => {
      ran.push(resumed ? `${name} resumed` : `${name} in`)
      entered.resolve()
      await gate.promise
    },
    onDeactivate: ({ undo }) => void ran.push(undo ? `${name} undone` : `${name} out`),
  })
  return { skill, gate, entered }
}

test('when another process appends meanwhile, the same plan is kept and hooks run once', async () => {
  const ran: string[] = []
  const { skill, gate, entered } = gated('owls', ran)
  const [one, two] = await pair({ skills: [skill] }, { skills: [aSkill('owls')] })
  const activation = one.activateSkill('owls')
  await entered.promise
  await two.beginTurn()
  gate.resolve()
  expect(await activation).toMatchObject({ ok: true, seq: 2 })
  expect(ran).toEqual(['owls in'])
  expect(await history(one, 1)).toEqual(['turn.begun', 'source.opened owls'])
})

test('when that changes the plan, the hooks are undone and the command is a conflict', async () => {
  const ran: string[] = []
  const { skill, gate, entered } = gated('owls', ran)
  const rivals = [aSkill('base'), aSkill('mice', { conflicts: ['owls'] })]
  const [one, two] = await pair(
    { skills: [skill, ...rivals] },
    { skills: [aSkill('owls'), ...rivals] },
  )
  const activation = one.activateSkill('owls')
  await entered.promise
  await two.activateSkill('mice')
  gate.resolve()
  expect(await activation).toMatchObject({ ok: false, code: 'conflict', facts: { skill: 'owls' } })
  expect(ran).toEqual(['owls in', 'owls undone'])
  expect(available(one)).toEqual(['mice_tool'])
  expect((await history(one)).at(-1)).toBe('command.refused owls (conflict)')
})

test('the end of a lifetime that meets such a change is decided again, and takes effect', async () => {
  const held = Promise.withResolvers<void>()
  const entered = Promise.withResolvers<void>()
  const ran: string[] = []
  const owls = aSkill('owls', {
    requires: ['base'],
    lifetime: { uses: 1 },
    onActivate: ({ undo }) => void ran.push(undo ? 'taken back' : 'in'),
    onDeactivate: async () => {
      ran.push('out')
      entered.resolve()
      await held.promise
    },
  })
  const [one, two] = await pair({
    skills: [owls, aSkill('base'), aSkill('mice', { requires: ['base'] })],
  })
  await one.activateSkill('owls')
  const call = one.callTool('owls_tool', {})
  await entered.promise
  await two.activateSkill('mice')
  held.resolve()
  expect(await call).toMatchObject({ ok: true })
  expect(available(one)).toEqual(['base_tool', 'mice_tool'])
  expect(ran).toEqual(['in', 'out', 'taken back', 'out'])
})

test('both activate the same skill: one succeeds, the other is refused and undoes its hook', async () => {
  const ran: string[] = []
  const { skill, gate, entered } = gated('owls', ran)
  const quick = aSkill('owls', { onActivate: () => void ran.push('quick in') })
  const [one, two] = await pair({ skills: [skill] }, { skills: [quick] })
  const activation = one.activateSkill('owls')
  await entered.promise
  expect(await two.activateSkill('owls')).toMatchObject({ ok: true })
  gate.resolve()
  expect(await activation).toMatchObject({ code: 'conflict' })
  expect(ran).toEqual(['owls in', 'quick in', 'owls undone'])
})

test('the hook of a skill activated elsewhere runs once here, at the first call', async () => {
  const ran: string[] = []
  const { skill, gate } = gated('owls', ran)
  gate.resolve()
  const [one, two] = await pair({ skills: [aSkill('owls')] }, { skills: [skill] })
  await one.activateSkill('owls')
  await two.beginTurn()
  expect(ran).toEqual([])
  await Promise.all([two.callTool('owls_tool', {}), two.callTool('owls_tool', {})])
  await two.callTool('owls_tool', {})
  expect(ran).toEqual(['owls resumed'])
  const entries = await history(two)
  expect(entries.filter((entry) => entry.startsWith('call.started'))).toHaveLength(3)
  expect(entries).toHaveLength(9)
})

test('a skill that was deactivated and activated here is not resumed', async () => {
  const ran: string[] = []
  const { skill, gate } = gated('owls', ran)
  gate.resolve()
  const [one, two] = await pair({ skills: [aSkill('owls')] }, { skills: [skill] })
  await one.activateSkill('owls')
  await two.deactivateSkill('owls')
  await two.activateSkill('owls')
  expect(await two.callTool('owls_tool', {})).toMatchObject({ ok: true })
  expect(ran).toEqual(['owls out', 'owls in'])
})

test('a resumed hook that throws leaves the skill broken, once, and activating it again repairs it', async () => {
  let fails = true
  const skill = aSkill('owls', {
    onActivate: () => {
      if (fails) throw new Error('no perch')
    },
  })
  const [one, two] = await pair({ skills: [aSkill('owls')] }, { skills: [skill] })
  await one.activateSkill('owls')
  await two.beginTurn()
  const answers = await Promise.all([two.callTool('owls_tool', {}), two.callTool('owls_tool', {})])
  expect(answers).toMatchObject([
    { error: { type: 'UNAVAILABLE', message: expect.stringContaining('no perch') } },
    { error: { details: { code: 'skill-inactive', owner: 'owls' } } },
  ])
  const entries = await history(two)
  expect(entries.filter((entry) => entry === 'skill.broken owls')).toHaveLength(1)
  expect(two.explainSkill('owls').status).toBe('broken')
  fails = false
  await two.deactivateSkill('owls')
  await two.activateSkill('owls')
  expect(await two.callTool('owls_tool', {})).toMatchObject({ ok: true })
})

test('a resumed hook cannot command its workspace, nor run at the same time as another hook', async () => {
  const seen: unknown[] = []
  const steps: string[] = []
  const entered = Promise.withResolvers<void>()
  const skill = aSkill('owls', {
    onActivate: async () => {
      steps.push('in')
      entered.resolve()
      seen.push(await two.callTool('owls_tool', {}), await two.beginTurn())
      await new Promise((resolve) => setImmediate(resolve))
      steps.push('in done')
    },
    onDeactivate: () => void steps.push('out'),
  })
  const workspaces = await pair({ skills: [aSkill('owls')] }, { skills: [skill] })
  const one = workspaces[0]
  const two: VirtualWorkspace = workspaces[1]
  await one.activateSkill('owls')
  await two.beginTurn()
  const call = two.callTool('owls_tool', {})
  await entered.promise
  const leaving = two.deactivateSkill('owls')
  expect(await call).toMatchObject({ ok: true })
  expect(await leaving).toMatchObject({ ok: true })
  expect(steps).toEqual(['in', 'in done', 'out'])
  expect(seen).toMatchObject([
    { error: { details: { code: 'inside-hook' } } },
    { ok: false, code: 'inside-hook' },
  ])
})

test('a skill that was activated while its resumed hook failed is resumed again, and activating repairs it', async () => {
  const entered = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  let resumes = 0
  const skill = aSkill('owls', {
    onActivate: async ({ resumed }) => {
      if (!resumed) return
      resumes += 1
      entered.resolve()
      await gate.promise
      throw new Error('late')
    },
  })
  const [one, two] = await pair({ skills: [aSkill('owls')] }, { skills: [skill] })
  await one.activateSkill('owls')
  await two.beginTurn()
  const call = two.callTool('owls_tool', {})
  await entered.promise
  await one.deactivateSkill('owls')
  await one.activateSkill('owls')
  gate.resolve()
  expect(await call).toMatchObject({ ok: false })
  expect(resumes).toBe(2)
  await one.beginTurn()
  await two.deactivateSkill('owls')
  await two.activateSkill('owls')
  expect(two.explainSkill('owls').status).toBe('active')
})

test('tools registered elsewhere are known here by their definition, without a handler', async () => {
  const [one, two] = await pair({})
  await one.registerTool(aTool('far', { description: 'Done elsewhere.' }))
  await two.beginTurn()
  expect(two.explain('far')).toMatchObject({ status: 'unbound', owner: 'global' })
  expect(two.tools()[0]?.tool?.description).toBe('Done elsewhere.')
  await two.registerTool(aTool('far', { description: 'Done elsewhere.' }))
  expect(await two.callTool('far', {})).toMatchObject({ ok: true })
})

test('a component that only the other process defines is not reported as unregistered', async () => {
  const log = createMemoryLog()
  const notes = defineComponent({
    key: 'notes',
    initialState: 1,
    tools: [],
    panel: () => ({ title: 'Notes', lines: [] }),
  })
  await aWorkspace({ components: [notes] }, { log, session: 's' })
  const two = await aWorkspace({}, { log, session: 's' })
  expect(() => two.exportComponent('notes')).toThrow(
    'The session has the component "notes", and this process has no definition of it.',
  )
  expect(() => two.exportComponent('note')).toThrow('No component "note" is registered.')
})

test('two that open a new session at once: one opens it, the other resumes it', async () => {
  const log = createMemoryLog()
  const open = (id: string) =>
    aWorkspace(
      { skills: [aSkill('owls')], tools: [aTool('clock')] },
      { log, session: 's', principal: { id } },
    )
  const [one, two] = await Promise.all([open('ann'), open('ann')])
  await one.beginTurn()
  await two.beginTurn()
  expect(available(one)).toEqual(['clock'])
  expect(available(two)).toEqual(['clock'])
  const opened = (await history(two)).filter((entry) => entry === 'session.opened')
  expect(opened).toHaveLength(1)

  const other = createMemoryLog()
  const strangers = ['ann', 'bob'].map((id) =>
    aWorkspace({}, { log: other, session: 's', principal: { id } }),
  )
  const results = await Promise.allSettled(strangers)
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(results.find((one) => one.status === 'rejected')?.reason).toMatchObject({
    code: 'SESSION_MISMATCH',
  })
})

test('a definition that is replaced between check and start is checked again', async () => {
  const gate = Promise.withResolvers<void>()
  const checking = Promise.withResolvers<void>()
  const old = defineTool({ name: 'pay', description: 'Pay.', execute: () => 'old' })
  const slow = Object.freeze({
    ...old,
    parseInput: async (value: Parameters<typeof old.parseInput>[0]) => {
      checking.resolve()
      await gate.promise
      return old.parseInput(value)
    },
  })
  const workspace = await aWorkspace({}, { tools: [slow] })
  const call = workspace.callTool('pay', {})
  await checking.promise
  await workspace.unregisterTool('pay')
  await workspace.registerTool(aTool('pay', { description: 'Pay anew.', execute: () => 'new' }))
  gate.resolve()
  expect(await call).toMatchObject({ ok: true, data: 'new' })
})

test.each([
  { what: 'deactivated', again: false },
  { what: 'deactivated and activated again', again: true },
])(
  'a skill that another process $what while its resumed hook failed here is not broken',
  async ({ again }) => {
    const { promise: hook, reject: fail } = Promise.withResolvers<void>()
    let isFailing = true
    const begun = Promise.withResolvers<void>()
    const owls = aSkill('owls', {
      onActivate: ({ resumed }) => {
        if (!resumed || !isFailing) return
        begun.resolve()
        return hook
      },
    })
    const log = createMemoryLog()
    const other = await aWorkspace({ skills: [owls] }, { log, session: 's' })
    await other.activateSkill('owls')
    const workspace = await aWorkspace({ skills: [owls] }, { log, session: 's' })
    const call = workspace.callTool('owls_tool', {})
    await begun.promise
    await other.deactivateSkill('owls')
    if (again) await other.activateSkill('owls')
    isFailing = false
    fail(new Error('too late'))
    expect(await call).toMatchObject(again ? { ok: true } : { ok: false })
    expect(workspace.state.broken).toEqual([])
    if (!again) await workspace.activateSkill('owls')
    expect(await workspace.callTool('owls_tool', {})).toMatchObject({ ok: true })
  },
)
