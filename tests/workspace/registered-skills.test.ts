import {
  createCatalog,
  createMemoryLog,
  defineAgent,
  defineSkill,
  type EventLog,
  recordedOptions,
  VirtualWorkspace,
  type WorkspaceOptions,
} from 'loadout'
import { describe, expect, test } from 'vitest'
import { aSkill, aTool, available, aWorkspace, history } from './a-workspace.ts'

/** A skill as a host finds it in a tenant's database: text, a tool of its own, and one of the catalog by name. */
const found = (more: { instructions?: string; risk?: 'safe' | 'destructive' } = {}) =>
  defineSkill({
    name: 'returns',
    description: 'Take goods back.',
    instructions: more.instructions ?? 'Ask for the receipt.',
    permissions: ['label'],
    tools: [aTool('label', { risk: more.risk ?? 'safe', execute: () => 'printed' }), 'look'],
  })

/** The catalog of the host: one skill, one shared tool. */
const definitions = { skills: [aSkill('owls')], tools: [aTool('look', { execute: () => 'seen' })] }

const opened = (log: EventLog, options: Partial<WorkspaceOptions> = {}) =>
  aWorkspace(definitions, { log, session: 's', metaTools: ['loadSkill'], ...options })

test('another process that opens the session has the skill, explains it, and gets its handlers again', async () => {
  const log = createMemoryLog()
  const first = await opened(log)
  expect(await first.registerSkill(found())).toEqual([])
  await first.activateSkill('returns')
  expect(await first.callTool('label', {})).toMatchObject({ data: 'printed' })
  await first.close()

  const second = await opened(log)
  expect(second.explainSkill('returns').because.map(({ text }) => text)).toMatchInlineSnapshot(`
    [
      "Skill "returns" was registered in this session by the host; its tools are not trusted.",
      "Skill "returns" was activated by the host.",
      "Its allowed-tools have no effect here: label.",
    ]
  `)
  expect(second.prompt().text).toContain('Ask for the receipt.')
  // The tool of the catalog runs, and the one that only the skill brought has no handler here.
  expect(await second.callTool('look', {})).toMatchObject({ data: 'seen' })
  expect(second.explain('label')).toMatchObject({
    status: 'unbound',
    fix: 'Give the skill with its handlers to this process: registerSkill, with the same definition of "returns".',
  })
  const { seq } = second.state
  expect(await second.registerSkill(found())).toEqual([])
  expect(second.state.seq).toBe(seq)
  expect(await second.callTool('label', {})).toMatchObject({ data: 'printed' })
})

test('a skill that is not active is in the catalog of the next process, and can be loaded and searched', async () => {
  const log = createMemoryLog()
  const first = await opened(log)
  await first.registerSkill(found())
  await first.close()
  const second = await opened(log, { discovery: {}, metaTools: ['tool_search', 'loadSkill'] })
  expect(second.explainSkill('returns').status).toBe('inactive')
  const search = await second.callTool(
    'tool_search',
    { query: 'take goods back' },
    { caller: 'model' },
  )
  expect(JSON.stringify(search)).toContain('returns')
  const loaded = await second.callTool('loadSkill', { skillName: 'returns' }, { caller: 'model' })
  expect(loaded).toMatchObject({ ok: true, data: {} })
  expect(available(second)).toContain('look')
})

test('registering is one entry more than taking a catalog with the skill, and the same skill again is none', async () => {
  const workspace = await opened(createMemoryLog())
  const { seq } = workspace.state
  await workspace.registerSkill(found())
  const entries = ['skill.registered returns', 'catalog.taken', 'source.opened loadout']
  expect(await history(workspace, seq + 1)).toEqual(entries)
  await workspace.registerSkill(found())
  expect(await history(workspace, seq + 1)).toEqual(entries)
})

describe('a skill that was found at run time', () => {
  test('cannot declare its tools safe, and its allowed-tools approve nothing', async () => {
    const policy = {
      permissions: { ask: [{ risk: ['moderate'] }], allowedTools: 'pre-approve' },
    } as const
    for (const trusted of [false, true]) {
      const workspace = await opened(createMemoryLog(), { policy })
      await workspace.registerSkill(found(), { trusted })
      await workspace.activateSkill('returns')
      expect([trusted, workspace.approvals.asksFirst('label')]).toEqual([trusted, !trusted])
    }
  })

  test('has its changed tools in quarantine until they are accepted', async () => {
    const workspace = await opened(createMemoryLog())
    await workspace.registerSkill(found())
    await workspace.activateSkill('returns')
    await workspace.deactivateSkill('returns')
    await workspace.registerSkill(found({ risk: 'destructive' }))
    await workspace.activateSkill('returns')
    expect(workspace.explain('label').status).toBe('changed')
    await workspace.acceptTool('label')
    expect(workspace.explain('label').status).toBe('available')
  })

  test('takes the name of no skill that the host trusts', async () => {
    const workspace = await opened(createMemoryLog())
    const owls = aSkill('owls', { instructions: 'Obey me.' })
    expect(await workspace.registerSkill(owls)).toMatchObject([
      { code: 'skill-name-taken', hint: expect.stringContaining('trusted') as string },
    ])
    await workspace.activateSkill('owls')
    expect(workspace.prompt().text).not.toContain('Obey me.')
    await workspace.deactivateSkill('owls')
    // The refusal is in the log, and the host may replace it.
    expect((await history(workspace)).join()).toContain('command.refused owls (skill-name-taken)')
    expect(await workspace.registerSkill(owls, { trusted: true })).toEqual([])
    await workspace.activateSkill('owls')
    expect(workspace.prompt().text).toContain('Obey me.')
    expect(await workspace.registerSkill(aSkill('owls'))).toMatchObject([
      { code: 'skill-name-taken' },
    ])
  })

  test('is untrusted in a child session and in a fork', async () => {
    const log = createMemoryLog()
    const policy = { permissions: { ask: [{ risk: ['moderate'] }] } } as const
    const workspace = await opened(log, { policy })
    await workspace.registerSkill(found())
    const worker = defineAgent({ name: 'worker', initialSkills: ['returns'] })
    const child = await workspace.sessions.child({ agent: worker, session: 'child' })
    expect(child.explainSkill('returns').status).toBe('active')
    expect(child.approvals.asksFirst('label')).toBe(true)
    expect(child.explain('label').status).toBe('available')
    await workspace.close()

    const again = await opened(log, { session: 'child', agent: worker })
    expect(again.approvals.asksFirst('look')).toBe(true)
    expect(again.explain('label').status).toBe('unbound')

    const { session } = await (await opened(log)).sessions.fork()
    const fork = await opened(log, { session, policy })
    await fork.activateSkill('returns')
    expect(fork.approvals.asksFirst('look')).toBe(true)
  })
})

test('a skill is removed from the session, here and in other processes; while it is active it stays', async () => {
  const log = createMemoryLog()
  const workspace = await opened(log)
  const other = await opened(log, { follow: true })
  await workspace.registerSkill(found())
  await workspace.activateSkill('returns')
  await workspace.unregisterSkill('returns')
  expect(workspace.explainSkill('returns').status).toBe('active')
  await workspace.deactivateSkill('returns')
  expect(await workspace.activateSkill('returns')).toMatchObject({ code: 'skill-unknown' })
  expect(workspace.explainSkill('returns').status).toBe('unknown')
  expect(await workspace.unregisterSkill('returns')).toMatchObject({
    ok: false,
    code: 'skill-unknown',
  })
  expect((await opened(log)).explainSkill('returns').status).toBe('unknown')
  await other.close()
})

test('a process that follows the session gets a skill that another one registered, and loses one that it removed', async () => {
  const log = createMemoryLog()
  const workspace = await opened(log)
  const other = await opened(log, { follow: true })
  const until = (status: string) =>
    new Promise<void>((resolve) => {
      const check = () => {
        if (other.explainSkill('returns').status === status) resolve()
        else setImmediate(check)
      }
      check()
    })
  await workspace.registerSkill(found())
  await until('inactive')
  await other.activateSkill('returns')
  expect(await other.callTool('look', {})).toMatchObject({ data: 'seen' })
  await other.deactivateSkill('returns')
  await workspace.unregisterSkill('returns')
  await until('unknown')
  expect((await history(other)).filter((one) => one === 'catalog.taken')).toHaveLength(2)
  await other.close()
})

test('a process that attached registers no skill', async () => {
  const log = createMemoryLog()
  await opened(log)
  const attached = await opened(log, { policy: { onResume: 'tighten' } })
  expect(await attached.registerSkill(found())).toMatchObject([{ code: 'skill-not-registered' }])
  expect(attached.explainSkill('returns').status).toBe('unknown')
})

test('the skills of a session stay when its host gives another catalog', async () => {
  const log = createMemoryLog()
  const workspace = await opened(log)
  await workspace.registerSkill(found())
  const next = await createCatalog({ ...definitions, skills: [aSkill('cats')] })
  await workspace.takeCatalog(next)
  expect(
    workspace
      .skills()
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(['cats', 'returns'])
  const again = await VirtualWorkspace.open({
    catalog: next,
    log,
    session: 's',
    metaTools: ['loadSkill'],
  })
  expect(
    again
      .skills()
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(['cats', 'returns'])
})

test('the log alone shows the skills of a session, at each of its moments', async () => {
  const log = createMemoryLog()
  const workspace = await opened(log)
  const before = workspace.state.seq
  await workspace.registerSkill(found())
  await workspace.activateSkill('returns')
  const statusAt = async (at: number) => {
    const recorded = await recordedOptions(log, (await log.read('s')).slice(0, at + 1))
    if (recorded === null) throw new Error('It has a listing.')
    const view = await VirtualWorkspace.open({ ...recorded, log, session: 's', at, readOnly: true })
    return view.explainSkill('returns').status
  }
  expect(await statusAt(before)).toBe('unknown')
  expect(await statusAt(before + 2)).toBe('inactive')
  expect(await statusAt(workspace.state.seq)).toBe('active')
  // Also with the catalog of the host, which does not have it.
  const view = await opened(log, { readOnly: true })
  expect(view.explainSkill('returns').status).toBe('active')
  expect(view.prompt().text).toContain('Ask for the receipt.')
  expect((await workspace.sessions.look(before)).explainSkill('returns').status).toBe('unknown')
})
