import { createMemoryLog, defineAgent, defineComponent } from 'loadout'
import { expect, test } from 'vitest'
import { aSkill, aTool, aWorkspace, available } from './a-workspace.ts'

const board = defineComponent({
  key: 'board',
  initialState: [] as readonly string[],
  tools: (define) => [
    define({
      name: 'pin',
      description: 'Pin a note.',
      execute: (_, { update }) => update((notes) => [...notes, 'pinned']),
    }),
  ],
  panel: (notes) => ({ title: 'Board', lines: notes }),
})

const definitions = {
  skills: [
    aSkill('owls', { instructions: 'Look at night.' }),
    aSkill('mice', { instructions: 'Look in the barn.' }),
  ],
  components: [board],
  agents: [defineAgent({ name: 'keeper', prompt: 'You keep animals.', initialSkills: ['mice'] })],
}

const ids = (step: { conversation: readonly { id: string; text: string }[] }) =>
  step.conversation.map(({ id, text }) =>
    text.startsWith('No longer applies') ? `${id} gone` : id,
  )

test('a step logs what it exposes, and sends what is available, in order', async () => {
  const workspace = await aWorkspace(definitions)
  await workspace.activateSkill('owls')
  const step = await workspace.beginStep()
  expect(step).toMatchObject({ step: 1, seq: 4 })
  expect(step.tools).toEqual(workspace.getAvailableTools())
  const [entry] = await workspace.entries(4)
  expect(entry?.event).toMatchObject({
    type: 'step.begun',
    strategy: 'active',
    exposed: step.tools.map(({ name, hash }) => ({ name, hash })),
  })
  expect(workspace.state.exposed?.map(({ name }) => name)).toEqual(available(workspace))
})

test('conversation sections are sent only when they changed, and when they are gone', async () => {
  const workspace = await aWorkspace(definitions)
  const first = await workspace.beginStep()
  expect(ids(first)).toContain('panel/board')
  expect(ids(await workspace.beginStep())).toEqual([])
  await workspace.callTool('pin', {})
  expect(ids(await workspace.beginStep())).toEqual(['panel/board'])
  await workspace.activateSkill('owls')
  const loaded = await workspace.beginStep()
  expect(ids(loaded)).toContain('skill-tools/owls')
  expect(loaded.conversation.map(({ text }) => text).join('\n')).toContain('Look at night.')
  await workspace.deactivateSkill('owls')
  const left = await workspace.beginStep()
  expect(ids(left)).toContain('skill-tools/owls gone')
  expect(ids(await workspace.beginStep())).toEqual([])
})

test('the instructions stay the same bytes while skills come and go', async () => {
  const workspace = await aWorkspace(definitions, { agent: 'keeper' })
  const { instructions } = await workspace.beginStep()
  expect(instructions).toContain('You keep animals.')
  await workspace.activateSkill('owls')
  await workspace.callTool('pin', {})
  expect((await workspace.beginStep()).instructions).toBe(instructions)
  await workspace.deactivateSkill('mice')
  expect((await workspace.beginStep()).instructions).toBe(instructions)
  expect(workspace.prompt().instructions).toBe(instructions)
})

test('equal states read as equal bytes, whatever way led there', async () => {
  const one = await aWorkspace(definitions)
  const two = await aWorkspace(definitions)
  await one.activateSkill('owls')
  await two.activateSkill('mice')
  await two.deactivateSkill('mice')
  await two.setToolEnabled('pin', false)
  await two.setToolEnabled('pin', true)
  await two.activateSkill('owls')
  expect(two.prompt().text).toBe(one.prompt().text)
  expect(two.prompt().hash).toBe(one.prompt().hash)
  const [first, second] = [await one.beginStep(), await two.beginStep()]
  expect(second.conversation).toEqual(first.conversation)
  expect(second.tools).toEqual(first.tools)
})

test('what the model has is remembered over a resume', async () => {
  const log = createMemoryLog()
  const before = await aWorkspace(definitions, { log, session: 's' })
  await before.activateSkill('owls')
  await before.beginStep()
  const after = await aWorkspace(definitions, { log, session: 's' })
  expect(ids(await after.beginStep())).toEqual([])
  expect(after.state.step).toBe(2)
})

test('steps that begin at once have numbers and entries of their own', async () => {
  const workspace = await aWorkspace(definitions)
  const steps = await Promise.all([
    workspace.beginStep(),
    workspace.beginStep(),
    workspace.beginStep(),
  ])
  expect(steps.map(({ step, seq }) => [step, seq])).toEqual([
    [1, 3],
    [2, 4],
    [3, 5],
  ])
  expect(steps.map((step) => step.conversation.length > 0)).toEqual([true, false, false])
})

test('a strategy decides what is exposed; one that fails harms nothing', async () => {
  let fails = false
  const workspace = await aWorkspace(definitions, {
    exposure: {
      name: 'last only',
      plan: async ({ available: tools, previous }) => {
        if (fails) throw new Error('no plan')
        return { tools: tools.slice(previous === null ? 0 : -1), deferred: new Set() }
      },
    },
  })
  await workspace.activateSkill('owls')
  expect((await workspace.beginStep()).tools).toHaveLength(2)
  expect((await workspace.beginStep()).tools.map(({ name }) => name)).toEqual(['owls_tool'])
  fails = true
  await expect(workspace.beginStep()).rejects.toThrow('no plan')
  expect(workspace.state.step).toBe(2)
  expect(await workspace.callTool('pin', {})).toMatchObject({ ok: true })
})

test('a budget is per category and is reset by the turn', async () => {
  const tools = [
    aTool('find', { category: 'retrieval' }),
    aTool('read', { category: 'retrieval' }),
    aTool('pay', { category: 'action' }),
  ]
  const workspace = await aWorkspace({}, { tools, policy: { callsPerTurn: { retrieval: 2 } } })
  await workspace.beginTurn()
  await workspace.callTool('find', {})
  await workspace.callTool('read', {})
  expect(available(workspace)).toEqual(['pay'])
  expect((await workspace.beginStep()).tools.map(({ name }) => name)).toEqual(['pay'])
  expect(await workspace.callTool('read', {})).toMatchObject({
    error: {
      type: 'BUDGET_EXCEEDED',
      message: expect.stringContaining('Continue without it until the next turn.'),
    },
  })
  expect(await workspace.callTool('pay', {})).toMatchObject({ ok: true })
  const spent = workspace.explain('find').because.at(-1)
  expect(spent?.text).toBe('The retrieval calls of this turn are spent (2).')
  const [entry] = await workspace.entries(spent?.seq)
  expect(entry?.event).toMatchObject({ type: 'call.started', tool: 'read' })
  expect(await workspace.beginTurn()).toMatchObject({ difference: { added: ['find', 'read'] } })
  expect(await workspace.callTool('read', {})).toMatchObject({ ok: true })
})

test('calls at once never make more than the budget allows', async () => {
  const workspace = await aWorkspace(
    {},
    {
      tools: [aTool('find', { category: 'retrieval' })],
      policy: { callsPerTurn: { retrieval: 2 } },
    },
  )
  const answers = await Promise.all([1, 2, 3, 4].map(() => workspace.callTool('find', {})))
  expect(answers.map(({ ok }) => ok)).toEqual([true, true, false, false])
})

test('a call is judged by what is available, not by what the last step showed', async () => {
  const workspace = await aWorkspace({ skills: [aSkill('owls')] }, { metaTools: ['loadSkill'] })
  const { tools } = await workspace.beginStep()
  expect(tools.map(({ name }) => name)).toEqual(['loadSkill'])
  const [loaded, tooEarly] = await Promise.all([
    workspace.callTool('loadSkill', { skillName: 'owls' }),
    workspace.callTool('owls_tool', {}),
  ])
  expect(loaded).toMatchObject({ ok: true })
  expect(tooEarly).toMatchObject({ error: { details: { code: 'skill-inactive' } } })
  expect(await workspace.callTool('owls_tool', {})).toMatchObject({ ok: true, data: 'owls_tool' })
})
