import { createCatalog, createMemoryLog, defineComponent, VirtualWorkspace } from 'loadout'
import { expect, test } from 'vitest'
import { recordedOptions } from 'loadout'
import { aSkill, aTool, available, history } from './a-workspace.ts'

/** Owls name a shared tool, and bats are new in the second edition. */
const edition = (text: string, more: readonly string[] = []) =>
  createCatalog({
    skills: [
      aSkill('owls', { instructions: text, tools: [aTool('look', { execute: () => text })] }),
      aSkill('mice', { instructions: text, tools: [aTool('dig', { description: text })] }),
      ...more.map((name) => aSkill(name)),
    ],
    tools: [aTool('clock', { description: text, execute: () => text })],
    components: [
      defineComponent({
        key: 'board',
        initialState: {},
        tools: [],
        panel: () => ({ title: 'Board', lines: [text] }),
      }),
    ],
  })

const contextOf = async (options = {}) => {
  const log = createMemoryLog()
  const first = await edition('Before.')
  const workspace = await VirtualWorkspace.open({ catalog: first, log, session: 's', ...options })
  await workspace.activateSkill('owls')
  return { log, first, workspace }
}

test('a catalog is taken by an open session: inactive skills, tools, panels and meta-tools are new', async () => {
  const { workspace } = await contextOf()
  const { seq } = workspace.state
  const notices = await workspace.takeCatalog(await edition('After.', ['bats']))
  expect(notices).toMatchObject([{ code: 'skill-kept' }])
  expect(await history(workspace, seq + 1)).toEqual([
    'catalog.taken',
    'source.opened loadout',
    'source.opened global',
  ])
  expect(workspace.explainSkill('bats').status).toBe('inactive')
  expect(workspace.prompt().text).toContain('After.')
  expect(await workspace.callTool('clock', {})).toMatchObject({ ok: true, data: 'After.' })
  await workspace.activateSkill('mice')
  expect(workspace.catalog.skills.get('mice')?.instructions).toBe('After.')
  expect(workspace.skillManager.getActiveSkills().map(({ name }) => name)).toEqual(['owls', 'mice'])
})

test('an active skill keeps its definition until the new one is accepted', async () => {
  const { workspace } = await contextOf()
  await workspace.takeCatalog(await edition('After.'))
  expect(workspace.explainSkill('owls').status).toBe('active')
  expect(await workspace.callTool('look', {})).toMatchObject({ ok: true, data: 'Before.' })
  expect(workspace.prompt().text).toContain('Before.')
  expect(await workspace.acceptSkill('owls')).toMatchObject({ ok: true })
  expect(await workspace.callTool('look', {})).toMatchObject({ ok: true, data: 'After.' })
  expect(workspace.prompt().text).not.toContain('Before.')
  expect(await workspace.acceptSkill('owls')).toMatchObject({ ok: false, code: 'skill-unchanged' })
})

test('an active skill that is deactivated has the new definition from then on', async () => {
  const { workspace } = await contextOf()
  await workspace.takeCatalog(await edition('After.'))
  await workspace.deactivateSkill('owls')
  await workspace.activateSkill('owls')
  expect(await workspace.callTool('look', {})).toMatchObject({ ok: true, data: 'After.' })
})

test('a skill that the catalog no longer has stays active until it is deactivated', async () => {
  const { workspace } = await contextOf()
  const notices = await workspace.takeCatalog(await createCatalog({ skills: [aSkill('mice')] }))
  expect(notices.map(({ message }) => message)).toMatchInlineSnapshot(`
    [
      "The active skill "owls" is no longer in the catalog. The session keeps the definition that it activated.",
    ]
  `)
  expect(available(workspace)).toContain('look')
  expect(await workspace.acceptSkill('owls')).toMatchObject({ ok: false })
  expect(available(workspace)).toContain('look')
  await workspace.deactivateSkill('owls')
  expect(await workspace.activateSkill('owls')).toMatchObject({ ok: false, code: 'skill-unknown' })
})

test('no tool vanishes while its call runs', async () => {
  const log = createMemoryLog()
  const gate = Promise.withResolvers<string>()
  const slow = aSkill('slow', { tools: [aTool('wait', { execute: () => gate.promise })] })
  const catalog = await createCatalog({ skills: [slow] })
  const workspace = await VirtualWorkspace.open({ catalog, log })
  await workspace.activateSkill('slow')
  const call = workspace.callTool('wait', {})
  await workspace.takeCatalog(await createCatalog({}))
  gate.resolve('done')
  expect(await call).toMatchObject({ ok: true, data: 'done' })
})

test('new handlers of the same definitions run, and the same catalog writes nothing', async () => {
  const { workspace, first } = await contextOf()
  const { seq } = workspace.state
  await workspace.takeCatalog(first)
  expect(workspace.state.seq).toBe(seq)
  const again = await createCatalog({
    skills: [
      aSkill('owls', { instructions: 'Before.', tools: [aTool('look', { execute: () => 2 })] }),
    ],
  })
  await workspace.takeCatalog(again)
  expect(await workspace.callTool('look', {})).toMatchObject({ ok: true, data: 2 })
})

test('rules are reloaded with a catalog', async () => {
  const { workspace, first } = await contextOf({ policy: { permissions: { deny: ['dig'] } } })
  await workspace.takeCatalog(first, { permissions: { deny: ['look'] } })
  expect(workspace.explain('look').status).toBe('denied')
  expect(workspace.state.policy.deny).toEqual(['look'])
})

test('a skill is registered, and replaced by another of its name', async () => {
  const { workspace } = await contextOf()
  await workspace.registerSkill(aSkill('bats'))
  expect(await workspace.activateSkill('bats')).toMatchObject({ ok: true })
  expect(await workspace.registerSkill(aSkill('bats', { instructions: 'New.' }))).toMatchObject([
    { code: 'skill-kept' },
  ])
  await workspace.acceptSkill('bats')
  expect(workspace.prompt().text).toContain('New.')
})

test('the log alone shows the catalog that was taken, with the skills that were kept', async () => {
  const { log, workspace } = await contextOf()
  await workspace.takeCatalog(await edition('After.', ['bats']))
  const look = async () => {
    const recorded = await recordedOptions(log, await log.read('s'))
    if (recorded === null) throw new Error('It has a listing.')
    return VirtualWorkspace.open({ ...recorded, log, session: 's', readOnly: true })
  }
  const view = await look()
  const statuses = (one: Pick<VirtualWorkspace, 'skills'>) =>
    one.skills().map(({ name, status }) => `${name} ${status}`)
  expect(statuses(view)).toEqual(statuses(workspace))
  expect(available(view as VirtualWorkspace)).toEqual(available(workspace))
  await workspace.acceptSkill('owls')
  expect(statuses(await look())).toEqual(statuses(workspace))
})

test('a read-only workspace takes no catalog', async () => {
  const { log, first } = await contextOf()
  const view = await VirtualWorkspace.open({ catalog: first, log, session: 's', readOnly: true })
  await expect(view.takeCatalog(first)).rejects.toMatchObject({ code: 'READ_ONLY' })
})
