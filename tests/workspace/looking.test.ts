import { createCatalog, createMemoryLog, defineSkill, defineTool, VirtualWorkspace } from 'loadout'
import { expect, test } from 'vitest'
import { aSkill, aWorkspace } from './a-workspace.ts'

const weigh = defineTool({ name: 'weigh', description: 'Weigh it.', execute: () => 1 })
const skill = (workDirection: string) =>
  defineSkill({
    name: 'scales',
    description: 'Weighing.',
    instructions: workDirection,
    tools: [weigh],
  })

test('a read-only session shows what it activated, not what the folder contains today', async () => {
  const log = createMemoryLog()
  const then = await createCatalog({ skills: [skill('Weigh twice.')] })
  const live = await VirtualWorkspace.open({ catalog: then, log, session: 'shop' })
  await live.activateSkill('scales')
  const read = live.prompt().text

  const today = await createCatalog({ skills: [skill('Weigh once.')] })
  const looking = await VirtualWorkspace.open({ catalog: today, log, session: 'shop', at: 2 })
  expect(looking.prompt().text).toBe(read)
  expect(looking.explainSkill('scales').status).toBe('active')

  const resumed = await VirtualWorkspace.open({ catalog: today, log, session: 'shop' })
  expect(resumed.notices).toMatchObject([{ code: 'skill-changed' }])
  expect(resumed.explain('weigh').status).toBe('changed')
  expect(await resumed.acceptSkill('scales')).toMatchObject({ ok: true })
  expect(resumed.explain('weigh').status).toBe('available')
})

test('a tool without a handler is shown by the record, not by the handlers of this process', async () => {
  const log = createMemoryLog()
  const bare = defineTool({ name: 'weigh', description: 'Weigh it.' })
  const untrusted = await createCatalog({ skills: [aSkill('scales', { tools: [bare] })] })
  const first = await VirtualWorkspace.open({ catalog: untrusted, log, session: 'shop' })
  await first.activateSkill('scales')

  const catalog = await createCatalog({ skills: [aSkill('scales', { tools: [weigh] })] })
  const looking = await VirtualWorkspace.open({ catalog, log, session: 'shop', readOnly: true })
  const { status, because, fix } = looking.explain('weigh')
  expect(status).toBe('unbound')
  expect(because.at(-1)?.text).toBe('No handler was bound to it when it was registered.')
  expect(fix).toBe(
    'Resume the session where the tool has a handler. This view shows what was recorded.',
  )
  const resumed = await VirtualWorkspace.open({ catalog, log, session: 'shop' })
  expect(resumed.explain('weigh').status).toBe('available')
})

test('a live workspace shows an earlier moment of itself', async () => {
  const catalog = await createCatalog({ skills: [skill('Weigh twice.')] })
  const live = await VirtualWorkspace.open({ catalog })
  const before = live.prompt().text
  const outcome = await live.activateSkill('scales')
  await live.callTool('weigh', {})

  const then = await live.sessions.look(outcome.seq - 1)
  expect(then.prompt().text).toBe(before)
  expect(then.isToolAvailable('weigh')).toBe(false)
  const after = await live.sessions.look(outcome.seq)
  expect(after.tools().map(({ name, status }) => [name, status])).toEqual(
    live.tools().map(({ name, status }) => [name, status]),
  )
})

test('a skill that is gone is still seen where it was active', async () => {
  const log = createMemoryLog()
  const then = await createCatalog({ skills: [skill('Weigh twice.')] })
  const live = await VirtualWorkspace.open({ catalog: then, log, session: 'shop' })
  await live.activateSkill('scales')

  const gone = await createCatalog({})
  const looking = await VirtualWorkspace.open({
    catalog: gone,
    log,
    session: 'shop',
    readOnly: true,
  })
  expect(looking.prompt().text).toContain('Weigh twice.')
  expect(looking.isToolAvailable('weigh')).toBe(true)
})

test.each([-1, 2, 0.5, Number.NaN])(
  'a moment that never was, after entry %s, is refused',
  async (at) => {
    const workspace = await aWorkspace({ skills: [aSkill('single')] })
    await workspace.activateSkill('single')
    await expect(workspace.sessions.look(at)).rejects.toMatchObject({ code: 'ENTRY_UNKNOWN' })
    expect((await workspace.sessions.look(1)).state.open).toHaveLength(1)
  },
)

test('a look that moves on is the same as a look at each later entry, with skills as they were recorded', async () => {
  const log = createMemoryLog()
  const before = await createCatalog({ skills: [aSkill('owls', { instructions: 'Be quiet.' })] })
  const first = await VirtualWorkspace.open({ catalog: before, log, session: 's' })
  await first.activateSkill('owls')
  await first.setSummary('They talked of owls.')
  await first.deactivateSkill('owls')
  await first.activateSkill('owls')
  await first.close()
  const after = await createCatalog({ skills: [aSkill('owls', { instructions: 'Be loud.' })] })
  const workspace = await VirtualWorkspace.open({ catalog: after, log, session: 's' })
  const entries = await workspace.entries()
  const moving = await workspace.sessions.look(0)
  for (const entry of entries.slice(1)) {
    await moving.forward([entry])
    const there = await workspace.sessions.look(entry.seq)
    expect(moving.state).toEqual(there.state)
    expect(moving.prompt().text).toBe(there.prompt().text)
  }
  expect(moving.prompt().text).toContain('Be quiet.')
})
