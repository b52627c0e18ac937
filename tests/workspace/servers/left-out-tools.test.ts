import { createMemoryLog, defineComponent } from 'loadout'
import { expect, test } from 'vitest'
import { aSkill, aTool, available, aWorkspace } from '../a-workspace.ts'
import { MemoryServer } from './a-server.ts'

const SCREEN = '"#/$defs/Screen" refers to no schema of this document.'

/** A server with one tool that can be used, one that cannot, and one without its output schema. */
function aServer(name = 'srv', stored = false): MemoryServer {
  const tools = [aTool(`${name}_good`), aTool(`${name}_half`)]
  const server = new MemoryServer(name, tools, { trusted: true, stored })
  server.leftOut = [
    { tool: 'dangling', reason: SCREEN },
    { tool: 'two words', name: `${name}_two-words`, reason: 'It only runs as a task.' },
    { tool: '', reason: '3 more tools are left out.' },
  ]
  server.withoutOutput = [{ tool: 'half', reason: SCREEN }]
  return server
}

const LEFT_OUT = [
  { name: 'srv_dangling', reason: SCREEN },
  { name: 'srv_two-words', reason: 'It only runs as a task.' },
  { name: 'srv_half', reason: SCREEN, part: 'output schema' },
]

test('a tool that is left out has a row, a reason and a fix, and attach returns it', async () => {
  const workspace = await aWorkspace({})
  const outcome = await workspace.attach(aServer())
  expect(outcome).toMatchObject({ ok: true, leftOut: LEFT_OUT, shadowed: [] })
  expect(workspace.tools().map(({ name, status }) => `${name} ${status}`)).toEqual([
    'srv_good available',
    'srv_half available',
    'srv_dangling left-out',
    'srv_two-words left-out',
  ])
  for (const address of ['srv_dangling', 'srv/srv_dangling', 'server:srv/srv_dangling']) {
    expect(workspace.explain(address)).toMatchObject({
      status: 'left-out',
      owner: 'srv',
      because: [{ seq: outcome.seq, text: expect.stringContaining(SCREEN) }],
      fix: expect.stringContaining('author'),
    })
  }
  const called = await workspace.callTool('srv_dangling', {}, { caller: 'model', call: '1' })
  expect(called).toMatchObject({ ok: false, error: { type: 'UNAVAILABLE' } })
  expect(!called.ok && called.error.message).toContain(SCREEN)
  expect(await workspace.acceptTool('srv_dangling')).toMatchObject({ ok: false, code: 'left-out' })
  expect((await workspace.beginStep()).tools.map(({ name }) => name)).toEqual(available(workspace))
})

test('a tool without its output schema is used, and explain says what is missing', async () => {
  const workspace = await aWorkspace({})
  await workspace.attach(aServer())
  expect(await workspace.callTool('srv_half', {})).toMatchObject({ ok: true })
  const { status, because } = workspace.explain('srv_half')
  expect(status).toBe('available')
  expect(because.at(-1)?.text).toBe(`It is used without its output schema: ${SCREEN}`)
})

test('what is left out is in the log: it is the same when the session is opened again, looked at, or forked', async () => {
  const log = createMemoryLog()
  const first = await aWorkspace({}, { log, session: 's' })
  await first.attach(aServer())
  const because = first.explain('srv_dangling').because
  const look = await first.sessions.look(first.state.seq)
  await first.sessions.fork(first.state.seq, 'fork')
  await first.close()
  for (const session of ['s', 'fork']) {
    const again = await aWorkspace({}, { log, session })
    const unusable = again.tools().filter(({ status }) => status === 'left-out')
    expect(unusable.map(({ name }) => name)).toEqual(['srv_dangling', 'srv_two-words'])
    expect(again.explain('srv_dangling').because).toEqual(because)
    await again.close()
  }
  expect(look.explain('srv_dangling').because).toEqual(because)
})

test('a tool that its server mends is registered, and one that it breaks is left out and not gone', async () => {
  const workspace = await aWorkspace({})
  const server = aServer()
  await workspace.attach(server)
  server.leftOut = [{ tool: 'good', reason: 'Its name cannot be used.' }]
  server.withoutOutput = []
  server.change([aTool('srv_dangling'), aTool('srv_half')])
  await workspace.beginStep()
  expect(workspace.tools().map(({ name, status }) => `${name} ${status}`)).toEqual([
    'srv_half available',
    'srv_dangling available',
    'srv_good left-out',
  ])
  const before = workspace.state.seq
  server.change(server.tools)
  await workspace.beginStep()
  expect(workspace.state.seq).toBe(before + 1)
})

test('a server that a skill brings has its rows, too', async () => {
  const skill = aSkill('kit', { servers: ['srv'] })
  const workspace = await aWorkspace({ skills: [skill], servers: [aServer()] })
  await workspace.activateSkill('kit')
  expect(workspace.explain('srv_dangling').status).toBe('left-out')
  await workspace.deactivateSkill('kit')
  expect(workspace.explain('srv_dangling').status).toBe('unknown')
})

const send = (answer: string) => aTool('send', { description: 'Sends.', execute: () => answer })

test('the equal tools of two servers are both there, each under a name of its own', async () => {
  const workspace = await aWorkspace({})
  await workspace.attach(new MemoryServer('staging', [send('')], { trusted: true }))
  const production = new MemoryServer('production', [send('')], { trusted: true })
  const outcome = await workspace.attach(production)
  expect(outcome).toMatchObject({ ok: true, difference: { added: ['production__send'] } })
  expect(available(workspace)).toEqual(['send', 'production__send'])
  const all = ['send', 'staging/send', 'production/send', 'production__send']
  const answers = await Promise.all(all.map((name) => workspace.callTool(name, {})))
  expect(answers.map((one) => one.ok && one.data)).toEqual([
    'staging did send',
    'staging did send',
    'production did send',
    'production did send',
  ])
  await workspace.detach('staging')
  expect(available(workspace)).toEqual(['production__send'])
})

test('a tool that another server covers on purpose is shadowed, with the way back, and attach says so', async () => {
  const workspace = await aWorkspace({})
  await workspace.attach(new MemoryServer('staging', [send('')], { trusted: true }))
  const production = new MemoryServer('production', [send('')], { trusted: true })
  const outcome = await workspace.attach(production, { onConflict: 'shadow' })
  expect(outcome).toMatchObject({
    ok: true,
    shadowed: [{ tool: 'staging/send', by: 'production' }],
  })
  expect(workspace.explain('staging/send')).toMatchObject({
    status: 'shadowed',
    fix: 'Detach "production", or register this one with onConflict "namespace".',
  })
  expect(await workspace.callTool('staging/send', {})).toMatchObject({
    ok: false,
    error: { details: { status: 'shadowed' } },
  })
  expect(workspace.tools().map(({ name, status }) => `${name} ${status}`)).toEqual([
    'send available',
    'staging/send shadowed',
  ])
  await workspace.detach('production')
  expect(await workspace.callTool('send', {})).toMatchObject({ data: 'staging did send' })
})

const aBoard = (key: string) =>
  defineComponent({
    key,
    initialState: 0 as number,
    tools: (define) => [
      define({
        name: 'add',
        description: 'Adds one.',
        execute: (_, { update }) => update((count) => count + 1),
      }),
    ],
    panel: (count) => ({ title: key, lines: [String(count)] }),
  })

test.each(['refuse', 'namespace'] as const)(
  'two instances of one component each have their tools, with onConflict "%s"',
  async (onConflict) => {
    const workspace = await aWorkspace({})
    await workspace.registerComponent(aBoard('left'))
    const outcome = await workspace.registerComponent(aBoard('right'), { onConflict })
    expect(outcome).toMatchObject({ ok: true, difference: { added: ['right__add'] } })
    await workspace.callTool('right__add', {})
    await workspace.callTool('right/add', {})
    expect([workspace.exportComponent('left'), workspace.exportComponent('right')]).toEqual([0, 2])
  },
)

test('a session in which two instances shared a name says that the second one is covered', async () => {
  const log = createMemoryLog()
  const first = await aWorkspace({}, { log, session: 's' })
  await first.registerComponent(aBoard('left'))
  await first.registerComponent(aBoard('right'), { onConflict: 'shadow' })
  expect(first.explain('left/add').status).toBe('shadowed')
  await first.close()
  const components = [aBoard('left'), aBoard('right')]
  const again = await aWorkspace({}, { log, session: 's', components })
  expect(again.explain('left/add').status).toBe('shadowed')
  expect(available(again)).toEqual(['add'])
})
