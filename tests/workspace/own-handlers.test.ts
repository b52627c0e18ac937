import { createMemoryLog } from 'loadout'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aSkill, aTool, aWorkspace, history } from './a-workspace.ts'

const good = aSkill('good', { tools: [aTool('look', { execute: () => 'good' })] })
const evil = aSkill('evil', { tools: [aTool('look', { execute: () => 'evil' })] })

test.each([
  [[good, evil], 'good'],
  [[evil, good], 'good'],
  [[good, evil], 'evil'],
  [[evil, good], 'evil'],
])(
  'a skill runs its own handler, though another defines the tool word for word',
  async (skills, active) => {
    const workspace = await aWorkspace({ skills })
    await workspace.activateSkill(active)
    expect(await workspace.callTool('look', {})).toMatchObject({ ok: true, data: active })
  },
)

test('of two skills that are active, the one that holds the name runs its own, and the other after it', async () => {
  const workspace = await aWorkspace({ skills: [evil, good] })
  await workspace.activateSkill('good')
  await workspace.activateSkill('evil')
  const { owner } = workspace.explain('look')
  expect(await workspace.callTool('look', {})).toMatchObject({ ok: true, data: owner })
  await workspace.deactivateSkill(owner ?? '')
  const other = owner === 'good' ? 'evil' : 'good'
  expect(await workspace.callTool('look', {})).toMatchObject({ ok: true, data: other })
})

test('a shared tool whose first owner is broken by the call is the other one’s, after its own hook', async () => {
  const ran: string[] = []
  const sharing = (name: string, onActivate: (resumed: boolean) => void) =>
    aSkill(name, {
      tools: [aTool('look', { execute: () => ran.push(`${name} looked`) })],
      onActivate: ({ resumed }) => onActivate(resumed),
    })
  const first = sharing('first', (resumed) => {
    if (resumed) throw new Error('no luck')
  })
  const second = sharing('second', (resumed) => {
    if (resumed) ran.push('second resumed')
  })
  const log = createMemoryLog()
  const before = await aWorkspace({ skills: [first, second] }, { log, session: 's' })
  await before.activateSkill('first')
  await before.activateSkill('second')
  await before.close()
  const workspace = await aWorkspace({ skills: [first, second] }, { log, session: 's' })
  expect(await workspace.callTool('look', {})).toMatchObject({ ok: true })
  expect(ran).toEqual(['second resumed', 'second looked'])
  expect((await history(workspace)).slice(-3)).toEqual([
    'skill.broken first',
    'call.started second',
    'call.ended look',
  ])
})

test('a shared tool whose owner leaves before the call starts is run by the one that stays', async () => {
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const sharing = (name: string) =>
    aSkill(name, { tools: [aTool('look', { execute: () => name })] })
  const leaving = { ...sharing('leaving'), onDeactivate: () => gate }
  const workspace = await aWorkspace({ skills: [leaving, sharing('staying')] })
  await workspace.activateSkill('leaving')
  await workspace.activateSkill('staying')
  const gone = workspace.deactivateSkill('leaving')
  const call = workspace.callTool('look', {})
  open()
  expect(await gone).toMatchObject({ ok: true })
  expect(await call).toMatchObject({ ok: true, data: 'staying' })
})

test('a host that restarts binds its own tool again while a skill shadows the name', async () => {
  const shadowing = aSkill('shadowing', {
    onConflict: 'shadow',
    tools: [aTool('look', { description: 'Looks elsewhere.', execute: () => 'skill' })],
  })
  const look = aTool('look', { execute: () => 'host' })
  const log = createMemoryLog()
  const before = await aWorkspace({ skills: [shadowing] }, { log, session: 's' })
  await before.registerTool(look)
  await before.activateSkill('shadowing')
  await before.close()
  const workspace = await aWorkspace({ skills: [shadowing] }, { log, session: 's' })
  expect(await workspace.registerTool(look)).toMatchObject({ ok: true })
  expect(await workspace.callTool('look', {})).toMatchObject({ ok: true, data: 'skill' })
  await workspace.deactivateSkill('shadowing')
  expect(await workspace.callTool('look', {})).toMatchObject({ ok: true, data: 'host' })
})

test('a tool that an owner has registered can be registered again, and its handler runs', async () => {
  const names = ['look', 'global__look']
  const variants = names.flatMap((name) => [0, 1].map((variant) => ({ name, variant })))
  const defined = ({ name, variant }: (typeof variants)[number], instance: string) =>
    aTool(name, { description: `Looks at ${variant}.`, execute: () => `${instance} ${variant}` })
  const skills = variants.map((one) =>
    aSkill(`${one.name.replace('__', '-')}-${one.variant}`, {
      onConflict: 'shadow',
      tools: [defined(one, 'skill')],
    }),
  )
  const registration = fc.record({
    tool: fc.constantFrom(...variants),
    onConflict: fc.constantFrom('refuse' as const, 'shadow' as const, 'namespace' as const),
  })
  const step = fc.oneof(
    registration,
    fc.record({ skill: fc.constantFrom(...skills.map(({ name }) => name)) }),
  )
  const property = fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
    const log = createMemoryLog()
    const before = await aWorkspace({ skills }, { log, session: 's' })
    const registered = new Set<(typeof variants)[number]>()
    for (const one of steps) {
      if ('skill' in one) {
        const left = await before.deactivateSkill(one.skill)
        if (!left.ok) await before.activateSkill(one.skill)
        continue
      }
      const { tool, onConflict } = one
      const outcome = await before.registerTool(defined(tool, 'before'), { onConflict })
      if (outcome.ok) registered.add(tool)
      for (const again of registered) {
        expect(await before.registerTool(defined(again, 'before'))).toMatchObject({ ok: true })
      }
    }
    await before.close()
    const workspace = await aWorkspace({ skills }, { log, session: 's' })
    for (const again of registered) {
      expect(await workspace.registerTool(defined(again, 'host'))).toMatchObject({ ok: true })
    }
    for (const { name } of skills) await workspace.deactivateSkill(name)
    const claims = workspace.store.getState().state.open.flatMap((one) => one.claims)
    expect(claims).toHaveLength(registered.size)
    for (const { name, definedAs } of claims) {
      const own = [...registered].find((one) => one.name === definedAs)
      const data = `host ${own?.variant}`
      expect(await workspace.callTool(name, {})).toMatchObject({ ok: true, data })
    }
  })
  await fc.assert(property, { numRuns: 60 })
})
