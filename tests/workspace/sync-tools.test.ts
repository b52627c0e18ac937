import {
  createCatalog,
  createMemoryLog,
  defineComponent,
  defineTool,
  VirtualWorkspace,
  type Tool,
} from 'loadout'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fold } from '../../src/engine/evolve/evolve.ts'
import { aTool, available, aWorkspace, history } from './a-workspace.ts'

const code = async (workspace: VirtualWorkspace, tool: string) => {
  const response = await workspace.callTool(tool, {})
  return response.ok ? response.data : response.error.details.code
}

const none = () => aWorkspace({})

test('the tools of a server are registered in one entry, and those that it drops are gone', async () => {
  const workspace = await none()
  await workspace.syncTools('github', [aTool('a'), aTool('b'), aTool('c')])
  const changed = aTool('b', { description: 'Does b otherwise.' })
  const outcome = await workspace.syncTools('github', [aTool('a'), changed, aTool('d')])
  expect(await history(workspace, 1)).toEqual(['source.synced github', 'source.synced github'])
  expect(outcome).toMatchObject({ ok: true, difference: { added: ['d'], removed: ['b', 'c'] } })
  expect(available(workspace)).toEqual(['a', 'd'])
  expect(workspace.getToolSource('a')).toEqual({ source: 'server', owner: 'github' })
  expect(await code(workspace, 'c')).toBe('gone')
  expect(await code(workspace, 'github/c')).toBe('gone')
  expect(await code(workspace, 'server:github/c')).toBe('gone')
  expect(await code(workspace, 'b')).toBe('changed')
  expect(workspace.explain('c')).toMatchInlineSnapshot(`
    {
      "because": [
        {
          "seq": 2,
          "text": "Server "github" no longer has it.",
        },
      ],
      "fix": "It is back when the server "github" has it again.",
      "forModel": "Continue without it.",
      "kind": "tool",
      "name": "c",
      "nearest": [],
      "needs": [],
      "outcomes": [
        "refuse",
      ],
      "owner": "github",
      "source": "server",
      "status": "gone",
    }
  `)
  expect(workspace.explain('b').changes).toHaveLength(2)
  expect(workspace.explain('a').because).toMatchInlineSnapshot(`
    [
      {
        "seq": 1,
        "text": "It was registered as a tool of the server "github" by the host.",
      },
    ]
  `)
})

test('the model reads which server no longer has a tool, and the names that are near', async () => {
  const workspace = await none()
  await workspace.syncTools('github', [aTool('create_issue')])
  await workspace.syncTools('github', [aTool('create_issues')])
  const refused = await workspace.callTool('create_issue', {}, { caller: 'model' })
  expect(refused).toMatchObject({ ok: false, error: { type: 'UNAVAILABLE' } })
  expect(!refused.ok && refused.error.message).toMatchInlineSnapshot(
    `"The tool "create_issue" is not available (gone): Server "github" no longer has it. Did you mean "create_issues"?"`,
  )
})

test('a changed tool runs once its definition is accepted, with the handler of that definition', async () => {
  const workspace = await none()
  await workspace.syncTools('github', [aTool('b', { execute: () => 'old' })])
  const changed = aTool('b', { description: 'Does b otherwise.', execute: () => 'new' })
  await workspace.syncTools('github', [changed])
  expect(await workspace.acceptTool('b', { hash: changed.hash })).toMatchObject({ ok: true })
  expect(await code(workspace, 'b')).toBe('new')
})

test('a tool that leaves and returns with another definition is in quarantine', async () => {
  const workspace = await none()
  await workspace.syncTools('github', [aTool('b')])
  await workspace.syncTools('github', [])
  await workspace.syncTools('github', [aTool('b', { description: 'Does b otherwise.' })])
  expect(workspace.explain('b').status).toBe('changed')
  await workspace.syncTools('github', [aTool('b')])
  expect(await code(workspace, 'b')).toBe('b')
})

test('the new definitions of a trusted server count at once', async () => {
  const workspace = await none()
  await workspace.syncTools('ours', [aTool('b')], { trusted: true })
  const changed = aTool('b', { description: 'Does b otherwise.' })
  const outcome = await workspace.syncTools('ours', [changed], { trusted: true })
  expect(outcome).toMatchObject({ ok: true, difference: { changed: ['b'] } })
  expect(await code(workspace, 'b')).toBe('b')
})

test('a list without a difference leaves no entry, and its handlers count', async () => {
  const workspace = await none()
  await workspace.syncTools('github', [aTool('a', { execute: () => 'first' })])
  const { seq } = workspace.state
  await workspace.syncTools('github', [aTool('a', { execute: () => 'second' })])
  expect(workspace.state.seq).toBe(seq)
  expect(await code(workspace, 'a')).toBe('second')
})

test('the tools that stay get the handlers of the new list', async () => {
  const workspace = await none()
  await workspace.syncTools('github', [aTool('a', { execute: () => 'first' })])
  await workspace.syncTools('github', [aTool('a', { execute: () => 'second' }), aTool('b')])
  expect(await code(workspace, 'a')).toBe('second')
})

test('a detached server takes all its tools with it, in one entry', async () => {
  const workspace = await none()
  await workspace.syncTools('github', [aTool('a'), aTool('b')])
  expect(await workspace.detach('github')).toMatchObject({
    ok: true,
    difference: { removed: ['a', 'b'] },
  })
  expect(await history(workspace, 2)).toEqual(['source.closed github'])
  expect(await code(workspace, 'a')).toBe('gone')
  expect(workspace.explain('a')).toMatchInlineSnapshot(`
    {
      "because": [
        {
          "seq": 2,
          "text": "Server "github" had it, and was detached by the host.",
        },
      ],
      "fix": "Attach the server "github" again.",
      "forModel": "Continue without it.",
      "kind": "tool",
      "name": "a",
      "nearest": [],
      "needs": [],
      "outcomes": [
        "refuse",
      ],
      "owner": "github",
      "source": "server",
      "status": "gone",
    }
  `)
  expect(await workspace.detach('github')).toMatchObject({ ok: false, code: 'not-registered' })
  await workspace.syncTools('github', [aTool('a')])
  expect(await code(workspace, 'a')).toBe('a')
  expect(await code(workspace, 'b')).toBe('gone')
})

test('a name that another owner has is left out, and the others of the list come, change and go', async () => {
  const workspace = await aWorkspace({ tools: [aTool('clock')] })
  await workspace.syncTools('github', [aTool('a')])
  const clash = aTool('clock', { description: 'Another clock.' })
  expect(await workspace.syncTools('github', [aTool('b'), clash])).toMatchObject({
    ok: true,
    difference: { added: ['b'], removed: ['a'] },
  })
  expect(available(workspace).toSorted()).toEqual(['b', 'clock'])
  expect(workspace.explain('github/clock')).toMatchObject({
    status: 'left-out',
    because: [{ text: expect.stringContaining('but "global" (global) has another tool') }],
    fix: expect.stringContaining('onConflict "namespace"'),
  })
  expect(workspace.tools().map(({ name, status }) => `${name} ${status}`)).toContain(
    'github/clock left-out',
  )
  const called = await workspace.callTool('github/clock', {})
  expect(called).toMatchObject({ ok: false, error: { details: { status: 'left-out' } } })
  const outcome = await workspace.syncTools('github', [clash], { onConflict: 'namespace' })
  expect(outcome).toMatchObject({ ok: true, difference: { added: ['github__clock'] } })
})

test('of two definitions of one name in a list the first is registered', async () => {
  const workspace = await none()
  const twice = [aTool('a'), aTool('a', { description: 'Another a.' })]
  expect(await workspace.syncTools('github', [...twice, aTool('b')])).toMatchObject({ ok: true })
  expect(available(workspace)).toEqual(['a', 'b'])
  expect(workspace.explain('a')).toMatchObject({ status: 'available' })
  expect(await workspace.syncTools('github', [aTool('a'), aTool('a')])).toMatchObject({ ok: true })
  expect(available(workspace)).toEqual(['a'])
})

test('a tool keeps its name when a skill shadows it, and the list can change', async () => {
  const workspace = await none()
  await workspace.syncTools('github', [aTool('find'), aTool('a')], { trusted: true })
  const other = aTool('find', { version: '2.0.0', execute: () => 'shadow' })
  await workspace.registerTool(other, { onConflict: 'shadow' })
  const find = aTool('find', { description: 'Finds.', execute: () => 'server' })
  expect(await workspace.syncTools('github', [find], { trusted: true })).toMatchObject({ ok: true })
  expect(await code(workspace, 'find')).toBe('shadow')
  expect(await code(workspace, 'a')).toBe('gone')
  await workspace.unregisterTool('find')
  expect(await code(workspace, 'find')).toBe('server')
})

test('another process sees the tools of a server without handlers, until it gives them', async () => {
  const log = createMemoryLog()
  const catalog = await createCatalog({})
  const open = () => VirtualWorkspace.open({ catalog, log, session: 's', metaTools: [] })
  const first = await open()
  await first.syncTools('github', [aTool('a'), aTool('b')])
  await first.syncTools('github', [aTool('a')])
  await first.close()
  const second = await open()
  expect(second.explain('a').status).toBe('unbound')
  expect(second.explain('b').status).toBe('gone')
  await second.syncTools('github', [aTool('a')])
  expect(await code(second, 'a')).toBe('a')
  const reader = await VirtualWorkspace.open({ catalog, log, session: 's', readOnly: true })
  expect(reader.explain('b').status).toBe('gone')
})

test('a component that is registered again with replace has only its new tools', async () => {
  const workspace = await none()
  const component = (...tools: Tool[]) =>
    defineComponent({
      key: 'board',
      initialState: { count: 0 },
      tools: () => tools as never,
      panel: () => ({ title: 'Board', lines: [] }),
    })
  await workspace.registerComponent(component(aTool('a'), aTool('b'), aTool('c')))
  const changed = aTool('b', { description: 'Does b otherwise.' })
  await workspace.registerComponent(component(aTool('a'), changed), { replace: true })
  expect(available(workspace)).toEqual(['a', 'b'])
  expect(await code(workspace, 'c')).toBe('gone')
  expect(workspace.explain('c').because.at(-1)?.text).toBe('Component "board" no longer has it.')
  await workspace.registerComponent(component(aTool('c')), { replace: true })
  expect(available(workspace)).toEqual(['c'])
  await workspace.unregisterComponent('board')
  expect(await code(workspace, 'c')).toBe('unknown')
})

test('rules can name servers', async () => {
  const workspace = await aWorkspace(
    {},
    {
      policy: { permissions: { deny: [{ source: 'server:github' }], ask: [{ source: 'server' }] } },
    },
  )
  await workspace.syncTools('github', [aTool('a')])
  await workspace.syncTools('files', [aTool('b')])
  expect(await code(workspace, 'a')).toBe('denied')
  expect(await code(workspace, 'b')).toBe('confirmation-required')
})

// Laws

const definition = fc.record({
  name: fc.constantFrom('read', 'write', 'list', 'move'),
  description: fc.constantFrom('One.', 'Two.', 'Three.'),
})
const list = fc.uniqueArray(definition, { selector: ({ name }) => name, maxLength: 4 })
const edit = fc.oneof(
  { weight: 8, arbitrary: list.map((tools) => ({ does: 'sync' as const, tools })) },
  { weight: 2, arbitrary: definition.map(({ name }) => ({ does: 'accept' as const, name })) },
  { weight: 1, arbitrary: fc.constant({ does: 'detach' as const }) },
)

test('after each of many edits, list, explanation, gate and replay agree with the server', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { maxLength: 12 }), async (edits) => {
      const workspace = await none()
      const agreed = new Map<string, string>()
      const everListed = new Set<string>()
      let now = new Map<string, string>()
      for (const one of edits) {
        const before = workspace.state.seq
        if (one.does === 'sync') {
          const tools = one.tools.map((it) => aTool(it.name, { description: it.description }))
          expect((await workspace.syncTools('github', tools)).ok).toBe(true)
          now = new Map(one.tools.map(({ name, description }) => [name, description]))
          for (const [name, text] of now) agreed.set(name, agreed.get(name) ?? text)
          for (const name of now.keys()) everListed.add(name)
          expect(workspace.state.seq - before).toBeLessThanOrEqual(1)
        } else if (one.does === 'accept') {
          const text = now.get(one.name)
          if ((await workspace.acceptTool(one.name)).ok) agreed.set(one.name, text ?? '')
        } else if ((await workspace.detach('github')).ok) now = new Map()
        const callable = [...now].filter(([name, text]) => agreed.get(name) === text)
        const names = callable.map(([name]) => name).toSorted()
        expect(available(workspace).toSorted()).toEqual(names)
        const isAttached = workspace.state.open.some(({ owner }) => owner === 'github')
        const listed = isAttached ? everListed : now.keys()
        expect(
          workspace
            .tools()
            .map(({ name }) => name)
            .toSorted(),
        ).toEqual([...listed].toSorted())
        for (const name of everListed) {
          const status = now.has(name) ? (names.includes(name) ? 'available' : 'changed') : 'gone'
          expect(workspace.explain(name)).toMatchObject({ status, owner: 'github' })
          expect(await code(workspace, name)).toBe(status === 'available' ? name : status)
        }
      }
      const entries = JSON.parse(JSON.stringify(await workspace.entries()))
      expect(fold(entries)).toEqual(workspace.state)
    }),
    { numRuns: 150 },
  )
})

/** A definition of an untrusted server, and ways to change one of its fields. */
const BASE = {
  name: 'pay',
  description: 'Pays an order.',
  inputSchema: {
    type: 'object',
    properties: {
      order: { type: 'string', description: 'The order.' },
      amount: { type: 'number', minimum: 0, maximum: 100 },
      note: { type: 'object', properties: { text: { type: 'string' }, tags: { type: 'array' } } },
    },
    required: ['order', 'amount'],
  },
  outputSchema: { type: 'object', properties: { receipt: { type: 'string' } } },
}

type Json = { readonly [key: string]: unknown }

const definedAs = (parts: Json, onRun: () => void): Tool =>
  defineTool({ ...parts, execute: () => (onRun(), { receipt: '1' }) } as never) as Tool

/** Paths of all members below the name. */
function pathsOf(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value).flatMap(([key, member]) => pathsOf(member, [...path, key]))
}

const edited = (value: unknown, [key, ...rest]: readonly string[], next: unknown): unknown => {
  if (key === undefined) return next
  if (Array.isArray(value))
    return value.map((one, index) => (String(index) === key ? edited(one, rest, next) : one))
  const members = value as Json
  return { ...members, [key]: edited(members[key], rest, next) }
}

const SEMANTIC = pathsOf(BASE).filter(
  ([first, ...rest]) => first !== 'name' && !rest.includes('type'),
)

const INPUT = { order: '7', amount: 1 }

test('a definition with one changed field is never called before it is accepted', async () => {
  const workspace = await none()
  let ran = 0
  const give = (parts: Json) => workspace.syncTools('bank', [definedAs(parts, () => (ran += 1))])
  await give(BASE)
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...SEMANTIC),
      fc.string({ minLength: 1 }),
      fc.integer({ min: 1, max: 99 }),
      async (path, text, number) => {
        const before = path.reduce<unknown>((value, key) => (value as Json)[key], BASE)
        const next = typeof before === 'number' ? before + number : `${String(before)}${text}`
        await give(edited(BASE, path, next) as Json)
        expect(await workspace.callTool('pay', INPUT)).toMatchObject({
          error: { details: { code: 'changed' } },
        })
        expect(workspace.explain('pay').changes?.length).toBeGreaterThan(0)
        await give(BASE)
        expect(workspace.explain('pay').status).toBe('available')
      },
    ),
    { numRuns: 1_000 },
  )
  expect(ran).toBe(0)
})

/** Returns the same JSON with the keys of its objects in another order. */
const reordered = (value: unknown, dice: () => number): unknown => {
  if (Array.isArray(value)) return value.map((one) => reordered(one, dice))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([key, one]) => [key, reordered(one, dice)] as const)
  return Object.fromEntries(
    members
      .map((one) => [dice(), one] as const)
      .toSorted(([a], [b]) => a - b)
      .map(([, one]) => one),
  )
}

test('a definition with its keys in another order is the same definition', async () => {
  const workspace = await none()
  await workspace.syncTools('bank', [definedAs(BASE, () => undefined)])
  const { seq } = workspace.state
  await fc.assert(
    fc.asyncProperty(fc.infiniteStream(fc.nat()), async (numbers) => {
      const dice = () => numbers.next().value as number
      const again = definedAs(reordered(BASE, dice) as Json, () => undefined)
      await workspace.syncTools('bank', [again])
      expect(workspace.state.seq).toBe(seq)
      expect(workspace.explain('pay').status).toBe('available')
    }),
    { numRuns: 1_000 },
  )
})
