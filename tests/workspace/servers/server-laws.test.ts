import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCatalog, createMemoryLog, type Tool, VirtualWorkspace } from 'loadout'
import { readTools } from '../../../src/connections/mcp/client/read-tools.ts'
import { aSkill, aTool, available, aWorkspace } from '../a-workspace.ts'
import { MemoryServer } from './a-server.ts'

/** Edits of a list, and tools that they drop, at least. */
const EDITS = 1_000

const terms = { name: 's', prefix: 's_', trusted: false }

/** Reads the tools of a server as they come over the wire. */
async function read(listed: readonly unknown[]): Promise<readonly Tool[]> {
  const { listing } = await readTools(listed, undefined, terms)
  return listing.tools
}

interface Listed {
  readonly name: string
  readonly description: string
}

const wire = ({ name, description }: Listed) => ({
  name,
  description,
  inputSchema: { type: 'object', properties: { a: { type: 'string' } } },
})

/** A clock a thousand times as fast: the edits here are more than a server may make in a minute. */
const FAST_CLOCK = { now: () => Date.now(), monotonic: () => performance.now() * 1_000 }

/** Waits until a list that was reported is registered: a command that is given after it is carried out after it. */
async function settled(workspace: VirtualWorkspace): Promise<void> {
  await new Promise(setImmediate)
  await workspace.setSummary(null)
}

test('after each of over 1,000 random edits of a list, what can be called is the list without what is in quarantine, and 1,000 dropped tools are refused', async () => {
  const server = new MemoryServer('s', [])
  const workspace = await aWorkspace({}, { testing: { clock: FAST_CLOCK } })
  await workspace.attach(server)
  const edits = fc.record({
    kind: fc.constantFrom('add', 'change', 'drop', 'rename'),
    at: fc.nat(),
    text: fc.string({ minLength: 1, maxLength: 5 }),
  })
  let list: readonly Listed[] = []
  let dropped = 0
  let made = 0
  let gone = 0
  const agreed = new Map<string, string>()
  for (const { kind, at, text } of fc.sample(edits, { numRuns: 5 * EDITS, seed: 17 })) {
    if (made >= EDITS && dropped >= EDITS) break
    const index = list.length === 0 ? 0 : at % list.length
    const one = list[index]
    const before = list
    const name = `t${at % 40}`
    if (kind === 'add' || one === undefined) {
      list = [
        ...list.filter((other) => other.name !== name),
        { name, description: `Does ${text}.` },
      ]
    } else if (kind === 'change') {
      list = list.with(index, { ...one, description: `Does ${text} otherwise.` })
    } else if (kind === 'drop') list = list.toSpliced(index, 1)
    else list = [...list.filter((other) => other.name !== name && other !== one), { ...one, name }]
    const { seq } = workspace.state
    server.change(await read(list.map(wire)))
    await settled(workspace)
    const entries = (await workspace.entries(seq + 1)).filter(
      ({ event }) => event.type === 'source.synced',
    )
    expect(entries.length).toBe(
      JSON.stringify(
        (await read(list.map(wire))).map(({ name: n, hash }) => [n, hash]).toSorted(),
      ) ===
        JSON.stringify(
          (await read(before.map(wire))).map(({ name: n, hash }) => [n, hash]).toSorted(),
        )
        ? 0
        : 1,
    )
    const tools = await read(list.map(wire))
    for (const tool of tools) if (!agreed.has(tool.name)) agreed.set(tool.name, tool.hash)
    const free = tools.filter((tool) => agreed.get(tool.name) === tool.hash)
    expect(available(workspace).toSorted()).toEqual(free.map((tool) => tool.name).toSorted())
    made += 1
    const names = new Set(list.map((other) => other.name))
    for (const { name: left } of before.filter((other) => !names.has(other.name))) {
      dropped += 1
      const refused = await workspace.callTool(`s_${left}`, { a: '' })
      if (!refused.ok && refused.error.details['code'] === 'gone') gone += 1
    }
  }
  expect([made > EDITS, dropped, gone]).toEqual([true, EDITS, EDITS])
  await workspace.close()
})

const DEFINITION = {
  name: 'tool',
  title: 'Title',
  description: 'Does something.',
  inputSchema: {
    type: 'object',
    properties: {
      query: { type: 'string', description: 'Words.', minLength: 1, maxLength: 90 },
      limit: { type: 'integer', minimum: 1, maximum: 50, default: 10 },
      order: { enum: ['up', 'down'], description: 'The order.' },
      deep: { type: 'object', properties: { flag: { type: 'boolean' } }, required: ['flag'] },
    },
    required: ['query'],
  },
  outputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
  annotations: { readOnlyHint: false, destructiveHint: false },
}

type Json = Readonly<Record<string, unknown>>

/** The paths of all texts and numbers of a definition that a model may read. */
function leaves(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value === 'string' || typeof value === 'number') return [path]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) => leaves(member, [...path, key]))
}

function changed(value: unknown, [key, ...rest]: readonly string[], salt: number): unknown {
  if (key === undefined)
    return typeof value === 'number' ? value + 1 + salt : `${String(value)}${salt}`
  if (Array.isArray(value))
    return value.map((one, at) => (String(at) === key ? changed(one, rest, salt) : one))
  return { ...(value as Json), [key]: changed((value as Json)[key], rest, salt) }
}

function reordered(value: unknown, random: () => number): unknown {
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(
    ([key, member]) => [key, reordered(member, random)] as const,
  )
  return Object.fromEntries(
    entries
      .map((one) => [random(), one] as const)
      .toSorted(([a], [b]) => a - b)
      .map(([, one]) => one),
  )
}

test('1,000 changes of a single field are quarantined, and 1,000 other orders of the members raise no alarm', async () => {
  const server = new MemoryServer('s', await read([DEFINITION]))
  const workspace = await aWorkspace({}, { testing: { clock: FAST_CLOCK } })
  await workspace.attach(server)
  // The name makes another tool, a title is not shown with a description, and types of JSON Schema are few.
  const paths = leaves(DEFINITION).filter(
    (path) => !['name', 'title'].includes(path[0] ?? '') && path.at(-1) !== 'type',
  )
  let refused = 0
  for (let at = 0; at < 1_000; at += 1) {
    const path = paths[at % paths.length] ?? []
    const mutant = await read([changed(DEFINITION, path, at)])
    if (mutant.length === 0) {
      // A definition that is no longer valid is left out.
      refused += 1
      continue
    }
    server.change(mutant)
    await settled(workspace)
    expect([path.join('.'), available(workspace)]).toEqual([path.join('.'), []])
    server.change(await read([DEFINITION]))
    await settled(workspace)
    expect(available(workspace)).toEqual(['s_tool'])
    refused += 1
  }
  expect(refused).toBe(1_000)
  const { seq } = workspace.state
  let alarms = 0
  const numbers = fc.sample(fc.double({ noNaN: true }), { numRuns: 30_000, seed: 3 })
  let next = 0
  for (let at = 0; at < 1_000; at += 1) {
    server.change(
      await read([reordered(DEFINITION, () => numbers[(next += 1) % numbers.length] ?? 0)]),
    )
    if (at % 100 === 99) await settled(workspace)
    if (available(workspace).length !== 1) alarms += 1
  }
  const synced = (await workspace.entries(seq + 1)).filter(
    ({ event }) => event.type === 'source.synced',
  )
  expect([alarms, synced.length]).toEqual([0, 0])
  await workspace.close()
})

test('an activation with a server that fails at each stage leaves the state before it or after it', async () => {
  const tools = [aTool('s_one'), aTool('s_two')]
  let failed = 0
  for (let round = 0; round < 10; round += 1) {
    for (const stage of ['connect', 'clash', 'hook', 'none'] as const) {
      const server = new MemoryServer('s', tools)
      const skill = aSkill('k', {
        servers: ['s'],
        onActivate: () => {
          if (stage === 'hook') throw new Error('The hook fails.')
        },
      })
      const clash = stage === 'clash' ? [aTool('s_two', { description: 'Another.' })] : []
      const workspace = await aWorkspace({ skills: [skill], servers: [server], tools: clash })
      if (stage === 'connect') server.fails = 'connect'
      const before = available(workspace)
      const outcome = await workspace.activateSkill('k')
      // A tool whose name another has is left out, and refuses no activation.
      const isPlaced = stage === 'none' || stage === 'clash'
      const after = [...before, 'k_tool', 's_one', ...(stage === 'clash' ? [] : ['s_two'])]
      expect(available(workspace)).toEqual(isPlaced ? after : before)
      expect(outcome.ok).toBe(isPlaced)
      if (!outcome.ok) failed += 1
      await workspace.close()
      expect(server.open).toBe(0)
    }
  }
  expect(failed).toBe(20)
})

test('after each of 1,000 lists with names that others have, each tool is said to be what its call finds, and comes when the name is free', async () => {
  const workspace = await aWorkspace({})
  const servers = ['a', 'b'].map((name) => new MemoryServer(name, [], { trusted: true }))
  for (const server of servers) await workspace.attach(server)
  const steps = fc.record({
    who: fc.nat({ max: 2 }),
    names: fc.uniqueArray(fc.constantFrom('one', 'two', 'three', 'four'), { maxLength: 4 }),
  })
  const listed = new Map<string, readonly string[]>([
    ['a', []],
    ['b', []],
    ['host', []],
  ])
  for (const { who, names } of fc.sample(steps, { numRuns: EDITS, seed: 7 })) {
    const server = servers[who]
    if (server === undefined) {
      for (const name of listed.get('host') ?? []) await workspace.unregisterTool(name)
      const free = names.filter((name) => workspace.explain(name).status === 'unknown')
      for (const name of free) await workspace.registerTool(aTool(name, { description: 'Own.' }))
      listed.set('host', free)
    } else {
      listed.set(server.name, names)
      server.change(names.map((name) => aTool(name, { description: `Of ${server.name}.` })))
    }
    // A list that comes back may free a name of the other.
    for (let left = 3; left > 0; left -= 1) await settled(workspace)
    const owners = new Map<string, number>()
    for (const [owner, own] of listed) {
      for (const name of own) {
        const source = owner === 'host' ? 'global:global' : `server:${owner}`
        const { status } = workspace.explain(`${source}/${name}`)
        expect(['available', 'left-out']).toContain(status)
        if (status === 'available') owners.set(name, (owners.get(name) ?? 0) + 1)
        const called = await workspace.callTool(`${source}/${name}`, {})
        expect(called.ok).toBe(status === 'available')
        const rows = workspace.tools().filter((row) => row.owner === source.split(':')[1])
        expect(rows.map((row) => row.name.split('/').at(-1))).toContain(name)
      }
    }
    // A name that somebody lists has one owner, and no tool waits for a name that is free.
    for (const own of listed.values()) for (const name of own) expect(owners.get(name)).toBe(1)
    for (const name of available(workspace)) expect(owners.get(name)).toBe(1)
  }
  await workspace.close()
})

test('two processes that see different lists of a server do not register them in turns', async () => {
  const log = createMemoryLog()
  const catalog = await createCatalog({ tools: [aTool('clock')] })
  const clash = aTool('clock', { description: 'Another clock.' })
  const open = () => VirtualWorkspace.open({ catalog, log, session: 's', metaTools: [] })
  const one = await open()
  const other = await open()
  await one.attach(new MemoryServer('s', [clash, aTool('a')], { trusted: true }))
  await other.attach(new MemoryServer('s', [clash, aTool('b')], { trusted: true }))
  const count = async () =>
    (await other.entries()).filter(({ event }) => event.type === 'source.synced').length
  const before = await count()
  for (let left = 4; left > 0; left -= 1) {
    for (const workspace of [one, other]) {
      await workspace.registerTool(aTool(`x${left}${workspace === one ? 1 : 2}`))
      await new Promise(setImmediate)
      await workspace.setSummary(null)
    }
  }
  expect(await count()).toBe(before)
  await one.close()
  await other.close()
})

test('a server of a skill with another list than its stored one keeps what is left out', async () => {
  const server = new MemoryServer('s', [aTool('one')], { stored: true })
  server.tools = [aTool('one'), aTool('clock', { description: 'Another clock.' })]
  server.leftOut = [{ tool: 'bad', reason: 'It is bad.' }]
  const skill = aSkill('k', { servers: ['s'], connect: 'activation' })
  const workspace = await aWorkspace({
    skills: [skill],
    servers: [server],
    tools: [aTool('clock')],
  })
  expect(await workspace.activateSkill('k')).toMatchObject({ ok: true })
  await new Promise(setImmediate)
  await workspace.setSummary(null)
  const synced = (await workspace.entries()).flatMap(({ event }) =>
    event.type === 'source.synced' ? [event.leftOut?.map(({ name }) => name)] : [],
  )
  expect(synced).toEqual([['s_bad'], ['s_bad', 'clock']])
  await workspace.close()
})

test.each([
  { leaves: 'with its server', detaches: true },
  { leaves: 'from the list', detaches: false },
])(
  'a tool that leaves $leaves, and comes back changed once its name is free, is in quarantine',
  async ({ detaches }) => {
    const workspace = await aWorkspace({})
    const server = new MemoryServer('s', [aTool('clock'), aTool('a')])
    await workspace.attach(server)
    if (detaches) await workspace.detach('s')
    else server.change([aTool('a')])
    await settled(workspace)
    await workspace.registerTool(aTool('clock', { description: 'Own.' }))
    const changedClock = [aTool('clock', { description: 'Another clock.' }), aTool('a')]
    if (detaches) await workspace.attach(new MemoryServer('s', changedClock))
    else server.change(changedClock)
    await settled(workspace)
    expect(workspace.explain('s/clock').status).toBe('left-out')
    await workspace.unregisterTool('clock')
    await settled(workspace)
    expect(workspace.explain('s/clock').status).toBe('changed')
    expect(available(workspace)).toEqual(['a'])
    await workspace.close()
  },
)
