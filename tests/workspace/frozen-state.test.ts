import { createMemoryLog, defineComponent, type VirtualWorkspace } from 'loadout'
import { expect, test } from 'vitest'
import { aSkill, aTool, aWorkspace } from './a-workspace.ts'

/** Every object of a value that can be changed, by its path. */
function unfrozen(value: unknown, path = ''): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  return [
    ...(Object.isFrozen(value) ? [] : [path]),
    ...Object.entries(value).flatMap(([name, member]) => unfrozen(member, `${path}.${name}`)),
  ]
}

async function aSession(options: Parameters<typeof aWorkspace>[1] = {}) {
  const counter = defineComponent({
    key: 'counter',
    initialState: { counts: [0] },
    tools: (tool) => [
      tool({
        name: 'count',
        description: 'Counts.',
        execute: (_input, { update }) => update(({ counts }) => ({ counts: [...counts, 1] })),
      }),
    ],
    panel: () => ({ title: 'Counter', lines: [] }),
  })
  return aWorkspace(
    {
      components: [counter],
      skills: [aSkill('alpha')],
      tools: [aTool('asks', { requiresConfirmation: true })],
    },
    {
      policy: { permissions: { deny: ['x'], ask: [{ tool: 'y', where: { a: '*' } }] } },
      ...options,
    },
  )
}

async function use(workspace: VirtualWorkspace) {
  await workspace.beginTurn()
  await workspace.activateSkill('alpha', { lifetime: { turns: 3 } })
  await workspace.beginStep()
  await workspace.callTool('count', {}, { caller: 'model', call: 'c' })
  await workspace.callTool('asks', {})
  await workspace.callTool('alpha_tool', {}, { background: true })
  await workspace.setToolEnabled('alpha_tool', false)
  await workspace.setSummary('So far.')
}

test('the store has no half that writes', async () => {
  const workspace = await aSession()
  const store = workspace.store as unknown as Record<string, unknown>
  expect(Object.keys(store)).toEqual(['getState', 'getInitialState', 'subscribe'])
  expect(() => (store['setState'] = () => undefined)).toThrow(TypeError)
  const snapshot = workspace.store.getState() as { state: unknown }
  expect(() => (snapshot.state = {})).toThrow(TypeError)
  expect(workspace.store).toBe(workspace.store)
})

test('a state cannot be changed at any depth, whether it was made, read or restored', async () => {
  const log = createMemoryLog()
  const made = await aSession({ log, session: 's', limits: { snapshotEvery: 5 } })
  const initial = made.state
  await use(made)
  const { deny } = made.state.policy as unknown as { deny: unknown[] }
  expect(() => (deny.length = 0)).toThrow(TypeError)
  expect(made.explain('x').status).not.toBe('available')
  const read = await aSession({ log, session: 's', readOnly: true })
  const { snapshots: _, ...withoutCache } = log
  const restored = await aSession({ log: withoutCache, session: 's', readOnly: true })
  const looked = await made.sessions.look(made.state.seq - 2)
  for (const { state } of [{ state: initial }, made, read, restored, looked]) {
    expect(unfrozen(state)).toEqual([])
  }
  expect(restored.state).toEqual(made.state)
})

test('an entry that a listener gets cannot be changed', async () => {
  const workspace = await aSession()
  const heard: unknown[] = []
  workspace.subscribe((_outcome, entries) => heard.push(...entries))
  await use(workspace)
  await workspace.setPermissions({ deny: ['x', 'y'] })
  expect(heard.length).toBeGreaterThan(8)
  expect(heard.flatMap((entry) => unfrozen(entry))).toEqual([])
})

test('an entry copies only what it changes', async () => {
  const workspace = await aSession()
  await use(workspace)
  const before = workspace.state
  await workspace.beginTurn()
  expect(workspace.state).not.toBe(before)
  expect(workspace.state.policy).toBe(before.policy)
  expect(workspace.state.components).toBe(before.components)
})

test('what a host gives stays its own to change', async () => {
  const lifetime = { turns: 3 }
  const permissions = { deny: ['x'], ask: [{ tool: 'y', where: { a: '1' } }] }
  const modes = { kiosk: { tools: ['x'] } }
  const workspace = await aSession({ policy: { permissions, modes, mode: 'kiosk' } })
  await workspace.activateSkill('alpha', { lifetime })
  await workspace.setPermissions(permissions)
  expect(unfrozen([lifetime, permissions, modes])).toHaveLength(10)
  permissions.deny.length = 0
  lifetime.turns = 9
  expect(workspace.state.policy.deny).toEqual(['x'])
})

test('a listener with a selector hears of changes of what it selects, with both values', async () => {
  const workspace = await aSession()
  const heard: unknown[] = []
  const selectTurn = ({ state }: Pick<VirtualWorkspace, 'state'>, ...more: unknown[]) =>
    state.turn + more.length
  const stop = workspace.store.subscribe(selectTurn, (now, before) => heard.push([now, before]))
  const all: number[] = []
  workspace.store.subscribe(({ state }, { state: before }) => all.push(state.seq - before.seq))
  await workspace.beginTurn()
  await workspace.setSummary('So far.')
  await workspace.beginTurn()
  stop()
  await workspace.beginTurn()
  expect(heard).toEqual([
    [1, 0],
    [2, 1],
  ])
  expect(all).toEqual([1, 1, 1, 1])
})
