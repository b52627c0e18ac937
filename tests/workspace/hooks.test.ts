import { createMemoryLog, type Outcome, type VirtualWorkspace } from 'loadout'
import { expect, test } from 'vitest'
import { aSkill, aTool, aWorkspace, available, history } from './a-workspace.ts'

/** Every way a hook may command its own workspace, and what each gives it. */
test.each<{ what: string; command: (workspace: VirtualWorkspace) => Promise<unknown> }>([
  { what: 'activates a skill', command: (one) => one.activateSkill('other') },
  { what: 'puts a skill away', command: (one) => one.deactivateSkill('other') },
  { what: 'switches a tool', command: (one) => one.setToolEnabled('owls_tool', false) },
  { what: 'begins a turn', command: (one) => one.beginTurn() },
  { what: 'registers a tool', command: (one) => one.registerTool(aTool('extra')) },
])('a hook that $what is refused, and the skill is active', async ({ command }) => {
  const outcomes: unknown[] = []
  const workspace: VirtualWorkspace = await aWorkspace({
    skills: [
      aSkill('owls', { onActivate: async () => void outcomes.push(await command(workspace)) }),
      aSkill('other'),
    ],
  })
  expect(await workspace.activateSkill('owls')).toMatchObject({ ok: true })
  expect(outcomes).toMatchObject([{ ok: false, code: 'inside-hook', facts: { skill: 'owls' } }])
  expect(await history(workspace, 1)).toEqual([
    'command.refused owls (inside-hook)',
    'source.opened owls',
  ])
  expect(available(workspace)).toEqual(['owls_tool'])
})

test('the refusal of a command inside a hook names the hook as its cause, whatever cause is given', async () => {
  const workspace: VirtualWorkspace = await aWorkspace({
    skills: [
      aSkill('owls', { onActivate: async () => void (await workspace.beginTurn()) }),
      aSkill('bats', {
        onActivate: async () => void (await workspace.activateSkill('owls', { by: 'user' })),
      }),
    ],
  })
  await workspace.activateSkill('owls', { by: 'user' })
  await workspace.activateSkill('bats')
  const refusals = (await workspace.entries()).filter(
    ({ event }) => event.type === 'command.refused',
  )
  expect(refusals.map(({ cause }) => cause)).toEqual([
    { by: 'hook', skill: 'owls' },
    { by: 'hook', skill: 'bats' },
  ])
})

test('a hook that calls a tool gets an envelope, and one that begins a step an error', async () => {
  const seen: unknown[] = []
  const workspace: VirtualWorkspace = await aWorkspace(
    {
      skills: [
        aSkill('owls', {
          onActivate: async () => {
            seen.push(await workspace.callTool('clock', {}))
            seen.push(await workspace.beginStep().catch((error: unknown) => error))
          },
        }),
      ],
    },
    { tools: [aTool('clock')] },
  )
  expect(await workspace.activateSkill('owls')).toMatchObject({ ok: true })
  expect(seen).toMatchObject([
    { ok: false, error: { type: 'UNAVAILABLE', details: { code: 'inside-hook' } } },
    { code: 'inside-hook' },
  ])
  expect(workspace.state.step).toBe(0)
})

test('a command a hook does not wait for is refused, too, or runs after it', async () => {
  const outcomes: Promise<Outcome>[] = []
  const later = Promise.withResolvers<void>()
  const workspace: VirtualWorkspace = await aWorkspace({
    skills: [
      aSkill('owls', {
        onActivate: () => {
          outcomes.push(workspace.beginTurn())
          outcomes.push(later.promise.then(() => workspace.beginTurn()))
        },
      }),
    ],
  })
  await workspace.activateSkill('owls')
  later.resolve()
  expect(await Promise.all(outcomes)).toMatchObject([{ code: 'inside-hook' }, { ok: true }])
  expect(workspace.state.turn).toBe(1)
})

test('what a hook left running while the next hook runs is not taken for that one', async () => {
  const left: Promise<Outcome>[] = []
  const gate = Promise.withResolvers<void>()
  const workspace: VirtualWorkspace = await aWorkspace({
    skills: [
      aSkill('first', {
        onActivate: () => void left.push(gate.promise.then(() => workspace.beginTurn())),
      }),
      aSkill('second', {
        requires: ['first'],
        onActivate: async () => {
          gate.resolve()
          await new Promise((resolve) => setImmediate(resolve))
        },
      }),
    ],
  })
  expect(await workspace.activateSkill('second')).toMatchObject({ ok: true })
  expect(await Promise.all(left)).toMatchObject([{ ok: true }])
})

test('a hook may command another workspace, but not its own through that one', async () => {
  const seen: unknown[] = []
  const inner = await aWorkspace({
    skills: [
      aSkill('inner', {
        onActivate: async () => void seen.push(await outer.activateSkill('other')),
      }),
    ],
  })
  const outer: VirtualWorkspace = await aWorkspace({
    skills: [
      aSkill('outer', {
        onActivate: async () => void seen.push(await inner.activateSkill('inner')),
      }),
      aSkill('other'),
    ],
  })
  expect(await outer.activateSkill('outer')).toMatchObject({ ok: true })
  expect(seen).toMatchObject([
    { ok: false, code: 'inside-hook', facts: { skill: 'outer' } },
    { ok: true, difference: { added: ['inner_tool'] } },
  ])
  expect(available(outer)).toEqual(['outer_tool'])
})

test('a command that is given while a hook runs, and not by it, waits for its turn', async () => {
  const entered = Promise.withResolvers<void>()
  const leave = Promise.withResolvers<void>()
  const workspace = await aWorkspace({
    skills: [
      aSkill('owls', {
        onActivate: async () => {
          entered.resolve()
          await leave.promise
        },
      }),
    ],
  })
  const activation = workspace.activateSkill('owls')
  await entered.promise
  const beside = workspace.setToolEnabled('owls_tool', false)
  expect(workspace.state.seq).toBe(0)
  leave.resolve()
  expect(await Promise.all([activation, beside])).toMatchObject([{ ok: true }, { ok: true }])
  expect(await history(workspace, 1)).toEqual(['source.opened owls', 'tool.switched owls_tool'])
})

test('a hook that closes its workspace ends by that, and then nothing more is accepted', async () => {
  const workspace: VirtualWorkspace = await aWorkspace({
    skills: [aSkill('owls', { onActivate: () => workspace.close() })],
  })
  expect(await workspace.activateSkill('owls')).toMatchObject({ ok: false, code: 'hook-failed' })
  await expect(workspace.beginTurn()).rejects.toMatchObject({ code: 'WORKSPACE_CLOSED' })
})

test('commands given at once are carried out in the order they were given', async () => {
  const workspace = await aWorkspace({ skills: [aSkill('owls', { onActivate: async () => {} })] })
  const outcomes = await Promise.all([
    workspace.activateSkill('owls'),
    workspace.deactivateSkill('owls'),
    workspace.deactivateSkill('owls'),
    workspace.activateSkill('owls'),
    workspace.activateSkill('owls'),
    workspace.beginTurn(),
  ])
  expect(outcomes.map((one) => (one.ok ? 'ok' : one.code))).toEqual([
    'ok',
    'ok',
    'skill-not-active',
    'ok',
    'skill-already-active',
    'ok',
  ])
  expect(outcomes.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6])
})

test("a hook's context says whose it is, and its signal is aborted when its time is up", async () => {
  const seen: unknown[] = []
  const services = { shelf: 1 }
  const workspace = await aWorkspace(
    {
      skills: [
        aSkill('owls', {
          onActivate: ({ signal, ...rest }) => {
            seen.push(rest)
            return new Promise((_, reject) => {
              signal.addEventListener('abort', () => {
                seen.push((signal.reason as Error).message)
                reject(signal.reason)
              })
            })
          },
        }),
      ],
    },
    {
      limits: { hookTimeoutMs: 10 },
      services,
      principal: { id: 'ann' },
      session: 's',
      log: createMemoryLog(),
    },
  )
  expect(await workspace.activateSkill('owls')).toMatchObject({ code: 'hook-failed' })
  expect(seen).toEqual([
    {
      skill: 'owls',
      session: 's',
      services,
      principal: { id: 'ann' },
      resumed: false,
      undo: false,
    },
    'onActivate of "owls" did not end within 10 ms.',
  ])
})

test('no secret in the message of a hook, a condition or a rule that failed reaches the model', async () => {
  const failing = () => Promise.reject(new Error('Bearer token=abc123 of https://me:pw1@db/x'))
  const loading = aSkill('owls', { onActivate: failing })
  const asks = aTool('wipe', { requiresConfirmation: failing })
  const judged = aTool('judged')
  const workspace = await aWorkspace(
    { skills: [loading], tools: [asks, judged] },
    {
      metaTools: ['loadSkill'],
      policy: { permissions: { deny: [{ tool: 'judged', when: failing }] } },
    },
  )
  for (const [tool, input] of [
    ['loadSkill', { skillName: 'owls' }],
    ['wipe', {}],
    ['judged', {}],
  ] as const) {
    const response = await workspace.callTool(tool, input, { caller: 'model' })
    const text = JSON.stringify(response)
    expect(text).toContain('[redacted]')
    expect(text).not.toMatch(/abc123|pw1/v)
  }
})
