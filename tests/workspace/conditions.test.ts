import { createCatalog, createMemoryLog, type Entry, VirtualWorkspace } from 'loadout'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { foldRecorded } from '../../src/engine/evolve/evolve.ts'
import { aSkill, aTool, aWorkspace, available, history } from './a-workspace.ts'

const active = (workspace: VirtualWorkspace) =>
  workspace.skillManager.getActiveSkills().map(({ name }) => name)

const reasons = (workspace: VirtualWorkspace, skill: string) =>
  workspace.explainSkill(skill).because.map(({ seq, text }) => `#${seq} ${text}`)

const reading = aTool('Read', {
  inputSchema: z.object({ file_path: z.string() }) as never,
  paths: ({ file_path }: { file_path: string }) => file_path,
  execute: () => 'it names docs/guide.md and the event deploy',
} as never)

const typescript = aSkill('typescript', { when: { paths: ['src/**/*.{ts,tsx}'] } })

test('a skill is active once a file that its condition names was used, with the fact as its cause', async () => {
  const workspace = await aWorkspace({ skills: [typescript], tools: [reading] })
  expect(workspace.explainSkill('typescript')).toMatchObject({
    status: 'inactive',
    fix: 'Activate the skill "typescript". It is also activated as soon as a file that matches src/**/*.{ts,tsx} is used.',
  })
  await workspace.callTool('Read', { file_path: './README.md' })
  await workspace.beginStep()
  expect(active(workspace)).toEqual([])
  await workspace.callTool('Read', { file_path: 'src/a/./b.ts' })
  expect(reasons(workspace, 'typescript')).toEqual([
    '#0 Skill "typescript" has not been activated since the session opened.',
    '#7 A part of its condition holds: the file "src/a/b.ts" was used.',
    '#7 Its condition holds since #7, so the next step activates it.',
  ])
  const step = await workspace.beginStep()
  expect(step.tools.map(({ name }) => name)).toContain('typescript_tool')
  const opened = (await workspace.entries()).find(
    ({ event }) => event.type === 'source.opened' && event.owner === 'typescript',
  )
  expect(opened).toMatchObject({
    seq: 8,
    cause: { by: 'policy', rule: 'when of typescript', fact: 7 },
    event: { lifetime: 'while' },
  })
  expect(reasons(workspace, 'typescript')[0]).toBe(
    '#8 Skill "typescript" was activated because its condition holds, by entry 7.',
  )
})

test('an event holds until the host withdraws it', async () => {
  const workspace = await aWorkspace({
    skills: [aSkill('incident', { when: { event: ['outage'] } })],
  })
  expect(await workspace.note({ event: 'other' })).toMatchObject({ ok: true })
  expect(active(workspace)).toEqual([])
  await workspace.note({ event: 'outage' })
  expect(active(workspace)).toEqual(['incident'])
  await workspace.note({ event: 'outage' })
  await workspace.note({ event: 'outage', holds: false })
  expect(active(workspace)).toEqual([])
  expect(await history(workspace, 1)).toEqual([
    'fact.noted',
    'source.opened incident',
    'fact.noted',
    'source.closed incident',
  ])
})

test('a call holds by its name and the status of the last one that ended, never by its text', async () => {
  let fails = true
  const run = aTool('run_tests', {
    execute: () => {
      if (fails) throw new Error('deploy src/a.ts')
      return 'error'
    },
  })
  const workspace = await aWorkspace({
    skills: [
      aSkill('fix', { when: { calls: [{ tool: 'run_*', status: 'error' }] } }),
      aSkill('deploy', { when: { event: ['deploy'] } }),
      typescript,
    ],
    tools: [run, reading],
  })
  await workspace.callTool('run_tests', {})
  await workspace.callTool('Read', { file_path: 'notes.md' })
  await workspace.beginStep()
  expect(active(workspace)).toEqual(['fix'])
  fails = false
  await workspace.callTool('run_tests', {})
  await workspace.beginStep()
  expect(active(workspace)).toEqual([])
})

test('the mode and the principal are facts, from the opening on; all members have to hold', async () => {
  const catalog = await createCatalog({
    skills: [
      aSkill('spoken', { when: { mode: ['voice'] } }),
      aSkill('for_ada', { when: { principal: ['ada'], mode: ['voice', 'text'] } }),
      aSkill('for_bob', { when: { principal: ['bob'] } }),
    ],
  })
  const workspace = await VirtualWorkspace.open({
    catalog,
    metaTools: [],
    principal: { id: 'ada' },
    policy: { mode: 'voice', modes: { quiet: {} } },
  })
  expect(active(workspace)).toEqual(['for_ada', 'spoken'])
  await workspace.setMode('text')
  expect(active(workspace)).toEqual(['for_ada'])
  await workspace.setMode('quiet')
  expect(active(workspace)).toEqual([])
})

test('hostile paths match nothing, and the state keeps one file for a pattern', async () => {
  const workspace = await aWorkspace({ skills: [typescript] })
  const hostile = [
    '../src/a.ts',
    'src/../../src/a.ts',
    '/src/a.ts',
    'C:\\src\\a.ts',
    '~/src/a.ts',
    'src/\0.ts',
    `src/${'a/'.repeat(1_000)}b.ts`,
    '$HOME/src/a.ts',
    'file:///src/a.ts',
  ]
  await workspace.note({ paths: hostile })
  expect(active(workspace)).toEqual([])
  const before = workspace.state.seq
  for (let at = 0; at < 100; at += 1) {
    await workspace.note({
      paths: Array.from({ length: 1_000 }, (_, no) => `src\\${at}\\${no}.ts`),
    })
  }
  expect(workspace.state.facts.paths).toEqual([{ path: 'src/0/0.ts', seq: before + 1 }])
  expect(workspace.state.seq).toBe(before + 2)
  await expect(workspace.note({ paths: new Array(1_001).fill('a') })).rejects.toMatchObject({
    code: 'OPTIONS_INVALID',
  })
})

const loadSkill = ['loadSkill', 'unloadSkill'] as const

test('where a rule asks, a person is asked once and the skill is activated after the approval, which is consumed', async () => {
  const workspace = await aWorkspace(
    { skills: [typescript] },
    {
      metaTools: loadSkill,
      policy: { permissions: { ask: [{ tool: 'loadSkill', where: { skillName: 'typescript' } }] } },
    },
  )
  await workspace.note({ paths: ['src/a.ts'] })
  await workspace.beginStep()
  await workspace.beginTurn()
  await workspace.beginStep()
  expect(active(workspace)).toEqual([])
  const [asked, ...others] = workspace.state.confirmations
  expect([asked?.tool, others]).toEqual(['loadSkill', []])
  expect(reasons(workspace, 'typescript').at(-1)).toContain(
    'Its condition holds since #2, and a person is asked before it is activated, by the rule: "loadSkill" with argument skillName like "typescript".',
  )
  await workspace.approve(asked?.id ?? '')
  expect(active(workspace)).toEqual([])
  await workspace.beginStep()
  expect(active(workspace)).toEqual(['typescript'])
  expect(workspace.state.confirmations).toEqual([])
})

test('a denial holds until a later fact, and a host that asks about skills is asked, too', async () => {
  const workspace = await aWorkspace(
    { skills: [aSkill('incident', { when: { event: ['outage'] } })] },
    { metaTools: loadSkill, confirmations: { loading: () => 'Nobody knows who wrote it.' } },
  )
  await workspace.note({ event: 'outage' })
  const [first] = workspace.state.confirmations
  expect((await workspace.previewStep()).tools.map(({ name }) => name)).not.toContain(
    'incident_tool',
  )
  await workspace.deny(first?.id ?? '')
  for (let turn = 0; turn < 2; turn += 1) {
    await workspace.beginTurn()
    await workspace.beginStep()
    expect(workspace.state.confirmations).toEqual([])
  }
  await workspace.note({ event: 'outage', holds: false })
  await workspace.note({ event: 'outage' })
  const [second] = workspace.state.confirmations
  expect(active(workspace)).toEqual([])
  await workspace.approve(second?.id ?? '')
  await workspace.beginStep()
  expect([active(workspace), workspace.state.confirmations]).toEqual([['incident'], []])
})

test('a rule that is stricter by the time of the approval holds', async () => {
  const workspace = await aWorkspace(
    { skills: [typescript] },
    { metaTools: loadSkill, policy: { permissions: { ask: ['loadSkill'] } } },
  )
  await workspace.note({ paths: ['src/a.ts'] })
  await workspace.approve(workspace.state.confirmations[0]?.id ?? '')
  await workspace.setPermissions({ deny: ['loadSkill'] })
  await workspace.beginStep()
  expect(active(workspace)).toEqual([])
})

test.each([
  {
    what: 'a rule that denies it',
    skill: typescript,
    policy: { permissions: { deny: [{ tool: 'loadSkill', where: { skillName: 'typescript' } }] } },
    why: 'but the policy denies it, by the rule: "loadSkill" with argument skillName like "typescript".',
  },
  {
    what: 'disable-model-invocation',
    skill: aSkill('typescript', { when: { paths: ['src/**'] }, disableModelInvocation: true }),
    why: 'but "typescript" has disable-model-invocation.',
  },
  {
    what: 'a requirement that is missing',
    skill: aSkill('typescript', { when: { paths: ['src/**'] }, requires: ['nothing'] }),
    why: 'but "typescript" requires "nothing", but there is no skill "nothing".',
  },
  {
    what: 'a conflict with an active skill',
    skill: aSkill('typescript', { when: { paths: ['src/**'] }, conflicts: ['other'] }),
    why: 'but "typescript" conflicts with "other", which is active.',
  },
  {
    what: 'exclusivity',
    skill: aSkill('typescript', { when: { paths: ['src/**'] }, exclusive: true }),
    why: 'but "other" would have to be deactivated for it.',
  },
])(
  '$what keeps a skill inactive although its condition holds, without an entry',
  async ({ skill, policy, why }) => {
    const workspace = await aWorkspace(
      { skills: [skill, aSkill('other')] },
      { metaTools: loadSkill, ...(policy && { policy }) },
    )
    await workspace.activateSkill('other')
    await workspace.note({ paths: ['src/a.ts'] })
    const { seq } = workspace.state
    await workspace.note({ paths: ['src/b.ts'] })
    expect(active(workspace)).toEqual(['other'])
    expect(workspace.state.seq).toBe(seq)
    expect(reasons(workspace, 'typescript').join('\n')).toContain(
      `Its condition holds since #${seq}, ${why}`,
    )
  },
)

test('a skill that somebody deactivated stays inactive until a later fact, and one that is activated again stays', async () => {
  const workspace = await aWorkspace({
    skills: [aSkill('incident', { when: { event: ['outage'] } })],
  })
  await workspace.note({ event: 'outage' })
  await workspace.deactivateSkill('incident', { by: 'user' })
  await workspace.beginStep()
  expect(active(workspace)).toEqual([])
  expect(reasons(workspace, 'incident').at(-1)).toBe(
    '#1 Its condition holds since #1, but it was deactivated after that (#3).',
  )
  await workspace.note({ event: 'outage', holds: false })
  await workspace.note({ event: 'outage' })
  expect(active(workspace)).toEqual(['incident'])
  await workspace.activateSkill('incident', { by: 'user' })
  await workspace.note({ event: 'outage', holds: false })
  expect(active(workspace)).toEqual(['incident'])
})

test('a hook that fails is run once a turn', async () => {
  let runs = 0
  const skill = aSkill('incident', {
    when: { event: ['outage'] },
    onActivate: () => {
      runs += 1
      throw new Error('no')
    },
  })
  const workspace = await aWorkspace({ skills: [skill] })
  await workspace.note({ event: 'outage' })
  await workspace.beginStep()
  await workspace.beginStep()
  expect(runs).toBe(1)
  await workspace.beginTurn()
  await workspace.beginStep()
  expect(runs).toBe(2)
})

test('a preview has the price of the skill that the next step activates', async () => {
  const workspace = await aWorkspace({ skills: [typescript], tools: [reading] })
  await workspace.beginStep()
  await workspace.callTool('Read', { file_path: 'src/a.ts' })
  const preview = await workspace.previewStep()
  const step = await workspace.beginStep()
  expect(preview.tools.map(({ name }) => name)).toContain('typescript_tool')
  expect(step.cost).toEqual(preview.cost)
  expect(step.conversation).toEqual(preview.conversation)
})

test('a skill with paths is listed for models once a file that matches was used, and may be activated before', async () => {
  const hidden = aSkill('hidden', { paths: ['docs/**'] })
  const workspace = await aWorkspace(
    { skills: [hidden, aSkill('shown')], tools: [reading] },
    { metaTools: ['loadSkill', 'listAvailableSkills', 'tool_search'] },
  )
  const listed = async () => {
    const answer = await workspace.callTool('listAvailableSkills', {}, { caller: 'model' })
    const { skills } = answer.ok ? (answer.data as { skills: { id: string }[] }) : { skills: [] }
    return skills.map(({ id }) => id)
  }
  const found = async () => {
    const answer = await workspace.callTool('tool_search', { query: 'hidden' }, { caller: 'model' })
    return JSON.stringify(answer.ok ? answer.data : answer.error)
  }
  const before = await workspace.beginStep()
  expect(before.instructions).toContain('shown')
  expect(before.instructions).not.toContain('hidden')
  expect(await listed()).toEqual(['shown'])
  expect(await found()).not.toContain('For hidden.')
  expect(workspace.explainSkill('hidden')).toMatchObject({
    status: 'inactive',
    fix: 'Activate the skill "hidden". Models see it as soon as a file that matches docs/** is used.',
  })
  expect(reasons(workspace, 'hidden').at(-1)).toContain(
    'It is hidden from models until a file that matches docs/** is used.',
  )
  await workspace.callTool('Read', { file_path: 'docs/guide.md' })
  const after = await workspace.beginStep()
  expect(active(workspace)).toEqual([])
  expect(after.instructions).toBe(before.instructions)
  expect(after.conversation.map(({ text }) => text).join()).toContain('hidden')
  expect(await listed()).toEqual(['hidden', 'shown'])
  await workspace.beginTurn()
  expect(await found()).toContain('For hidden.')
  const { seq } = workspace.state.facts.paths[0] ?? {}
  expect(reasons(workspace, 'hidden').at(-1)).toBe(
    `#${seq} It is listed for models: the file "docs/guide.md" was used.`,
  )
})

test('two processes settle a condition once, and both replay to the same state and prompt', async () => {
  const log = createMemoryLog()
  const catalog = await createCatalog({
    skills: [typescript, aSkill('incident', { when: { event: ['outage'] } })],
  })
  const open = () => VirtualWorkspace.open({ catalog, metaTools: [], session: 's', log })
  const one = await open()
  const two = await open()
  await Promise.all([one.note({ event: 'outage' }), two.note({ paths: ['src/a.ts'] })])
  await Promise.all([one.beginStep(), two.beginStep(), one.note({ event: 'outage' })])
  await Promise.all([one.note({ event: 'outage', holds: false }), two.beginStep()])
  await one.beginStep()
  await two.beginStep()
  const entries: readonly Entry[] = await log.read('s', 0)
  const opened = entries.filter(({ event }) => event.type === 'source.opened')
  const closed = entries.filter(({ event }) => event.type === 'source.closed')
  expect([opened.length, closed.length]).toEqual([2, 1])
  expect(entries.filter(({ event }) => event.type === 'command.refused')).toEqual([])
  await one.note({})
  const state = foldRecorded(JSON.parse(JSON.stringify(await log.read('s', 0))))
  expect(one.state).toEqual(state)
  const three = await open()
  expect(three.prompt().text).toBe(one.prompt().text)
  expect(available(three)).toEqual(['typescript_tool'])
})

test('a skill whose definition is kept keeps its condition, too', async () => {
  const workspace = await aWorkspace({
    skills: [aSkill('incident', { when: { event: ['outage'] } })],
  })
  await workspace.note({ event: 'outage' })
  await workspace.takeCatalog(await createCatalog({ skills: [aSkill('incident')] }))
  await workspace.beginStep()
  expect(active(workspace)).toEqual(['incident'])
  await workspace.note({ event: 'outage', holds: false })
  expect(active(workspace)).toEqual([])
})

test('a call of its tool that still runs keeps a skill active after its condition has ended', async () => {
  const gate = Promise.withResolvers<void>()
  const slow = aTool('slow', { execute: () => gate.promise.then(() => 'done') })
  const workspace = await aWorkspace({
    skills: [aSkill('incident', { when: { event: ['outage'] }, tools: [slow] })],
  })
  await workspace.note({ event: 'outage' })
  const call = workspace.callTool('slow', {})
  await expect.poll(() => workspace.state.calls.length).toBe(1)
  await workspace.note({ event: 'outage', holds: false })
  expect(active(workspace)).toEqual(['incident'])
  gate.resolve()
  expect(await call).toMatchObject({ ok: true, data: 'done' })
  await workspace.beginStep()
  expect(active(workspace)).toEqual([])
})
