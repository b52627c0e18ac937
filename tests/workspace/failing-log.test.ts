import {
  createCatalog,
  createMemoryLog,
  defineComponent,
  VirtualWorkspace,
  WorkspaceError,
  type EventLog,
} from 'loadout'
import { expect, test } from 'vitest'
import { fold } from '../../src/engine/evolve/evolve.ts'
import { aSkill, aTool } from './a-workspace.ts'

/** A log whose n-th append fails, counted from when it was armed. */
function failingLog() {
  const log = createMemoryLog()
  const fault = { in: Number.POSITIVE_INFINITY }
  const failing: EventLog = {
    ...log,
    async append(...given) {
      fault.in -= 1
      if (fault.in === 0) throw new Error('disk full')
      await log.append(...given)
    },
  }
  return { log: failing, fault }
}

/** Skills with hooks that count who is in, so that an undo that is left out shows. */
async function scenario(failAt: number) {
  const { log, fault } = failingLog()
  const inside = new Set<string>()
  const hooks = {
    onActivate: ({ skill }: { skill: string }) => void inside.add(skill),
    onDeactivate: ({ skill }: { skill: string }) => void inside.delete(skill),
  }
  const notes = defineComponent({
    key: 'notes',
    initialState: 0 as number,
    tools: (define) => [
      define({
        name: 'note',
        description: 'Count.',
        execute: (_, { update }) => update((count) => count + 1),
      }),
    ],
    panel: (count) => ({ title: 'Notes', lines: [String(count)] }),
  })
  const catalog = await createCatalog({
    skills: [
      aSkill('base', hooks),
      aSkill('top', { requires: ['base'], ...hooks }),
      aSkill('alone', { exclusive: true, ...hooks }),
      aSkill('single', { lifetime: { uses: 1 }, ...hooks }),
    ],
    components: [notes],
    tools: [aTool('asked', { requiresConfirmation: true })],
  })
  const workspace = await VirtualWorkspace.open({ catalog, log, metaTools: ['loadSkill'] })
  fault.in = failAt
  const failures: string[] = []
  const step = async (command: () => Promise<unknown>) => {
    try {
      const outcome = await command()
      const text = JSON.stringify(outcome)
      if (text.includes('disk full')) failures.push('envelope')
    } catch (error) {
      failures.push((error as Error).message)
    }
    const entries = await log.read(workspace.session)
    expect(workspace.state).toEqual(fold(entries))
    const active = workspace.skillManager.getActiveSkills().map(({ name }) => name)
    expect([...inside].toSorted()).toEqual(active.toSorted())
  }
  await step(() => workspace.activateSkill('top'))
  await step(() => workspace.callTool('top_tool', {}))
  await step(() => workspace.callTool('note', {}))
  await step(() => workspace.activateSkill('alone'))
  await step(() => workspace.callTool('loadSkill', { skillName: 'single' }))
  await step(() => workspace.callTool('single_tool', {}))
  await step(() => workspace.callTool('asked', {}))
  await step(() => workspace.approve(workspace.state.confirmations[0]?.id ?? ''))
  await step(() => workspace.callTool('asked', {}))
  await step(() => workspace.setToolEnabled('note', false))
  await step(() => workspace.registerTool(aTool('extra')))
  await step(() => workspace.beginTurn())
  await step(() => workspace.beginStep())
  const appends = failAt - fault.in
  await step(() => workspace.deactivateSkill(undefined))
  fault.in = Number.POSITIVE_INFINITY
  expect(await workspace.activateSkill('alone')).toBeDefined()
  expect(await workspace.callTool('alone_tool', {})).toMatchObject({ ok: true })
  await workspace.close()
  return { appends, failures }
}

/** The append that puts the skill for one use away: nobody waits for it, the next call tries again. */
const LIFETIME_END = 13

const { appends } = await scenario(1_000)

test('the scenario has many appends to fail', () => {
  expect(appends).toBeGreaterThan(20)
})

test.each(Array.from({ length: appends }, (_, index) => index + 1))(
  'when append %i fails, memory is as the log, hooks are undone, and all goes on',
  async (failAt) => {
    const { failures } = await scenario(failAt)
    expect(failures).toHaveLength(failAt === LIFETIME_END ? 0 : 1)
  },
)

test.each([
  { code: 'LOG_CONFLICT', retryable: true },
  { code: 'LOG_LOCKED', retryable: true },
  { code: 'LOG_UNREACHABLE', retryable: true },
  { code: 'LOG_WRITE_FAILED', retryable: false },
])('a call that is not made for $code may be made again: $retryable', async (row) => {
  const memory = createMemoryLog()
  const log: EventLog = { ...memory }
  const catalog = await createCatalog({ tools: [aTool('count')] })
  const workspace = await VirtualWorkspace.open({ catalog, log })
  const problem = new WorkspaceError(row.code, 'It did not work.', { hint: '' })
  if (row.code === 'LOG_CONFLICT') {
    // Somebody else is first, however often it is tried.
    log.append = async (session, expected) => {
      const event = { type: 'turn.begun' as const, turn: expected }
      const entry = { seq: expected, at: 0, cause: { by: 'host' as const }, event }
      await memory.append(session, expected, [entry])
      throw problem
    }
  } else log.append = () => Promise.reject(problem)
  expect(await workspace.callTool('count', {})).toMatchObject({
    error: {
      type: 'INTERNAL',
      retryable: row.retryable,
      partialSideEffects: false,
      details: { code: row.code },
    },
  })
})

test('a call whose start cannot be recorded is not made, and says so', async () => {
  const { log, fault } = failingLog()
  let ran = 0
  const tool = aTool('count', { execute: () => (ran += 1) })
  const catalog = await createCatalog({ tools: [tool] })
  const workspace = await VirtualWorkspace.open({ catalog, log })
  fault.in = 1
  expect(await workspace.callTool('count', {})).toMatchObject({
    ok: false,
    error: {
      type: 'INTERNAL',
      message: expect.stringContaining('so it was not made: disk full'),
      partialSideEffects: false,
      details: { code: 'start-not-recorded' },
    },
  })
  expect(ran).toBe(0)
  fault.in = 2
  expect(await workspace.callTool('count', {})).toMatchObject({
    error: {
      message: '"count" ran, but the session could not record its end: disk full',
      partialSideEffects: true,
      details: { code: 'end-not-recorded', handlerSucceeded: true },
    },
  })
  expect(ran).toBe(1)
  expect(await workspace.callTool('count', {})).toMatchObject({ ok: true })
})

test.each([
  { what: 'without hooks', hooks: {} },
  { what: 'with hooks', hooks: { onDeactivate: () => undefined, onActivate: () => undefined } },
])('calls of a skill $what that could not leave for a full disk go on', async ({ hooks }) => {
  const { log, fault } = failingLog()
  const gate = Promise.withResolvers<void>()
  const entered = Promise.withResolvers<void>()
  const slow = aTool('slow', {
    execute: async () => {
      entered.resolve()
      await gate.promise
      return 'done'
    },
  })
  const catalog = await createCatalog({ skills: [aSkill('owls', { tools: [slow], ...hooks })] })
  const workspace = await VirtualWorkspace.open({ catalog, log, limits: { drainMs: 1 } })
  await workspace.activateSkill('owls')
  const call = workspace.callTool('slow', {})
  await entered.promise
  fault.in = 1
  await expect(workspace.deactivateSkill('owls')).rejects.toThrow('disk full')
  gate.resolve()
  expect(await call).toMatchObject({ ok: true, data: 'done' })
})

test('a component that could not be registered leaves the one before in its place', async () => {
  const { log, fault } = failingLog()
  const board = (title: string) =>
    defineComponent({
      key: 'board',
      initialState: null,
      tools: [],
      panel: () => ({ title, lines: [title] }),
    })
  const catalog = await createCatalog({ components: [board('First')] })
  const workspace = await VirtualWorkspace.open({ catalog, log })
  fault.in = 1
  await expect(workspace.registerComponent(board('Second'))).rejects.toThrow('disk full')
  expect(workspace.prompt().text).toContain('First')
  expect(await workspace.registerComponent(board('Third'))).toMatchObject({ ok: true })
  expect(workspace.prompt().text).toContain('Third')
})

test('definitions are in the log before the entries that name them', async () => {
  const log = createMemoryLog()
  const order: string[] = []
  const watched: EventLog = {
    ...log,
    append: (session, expected, entries) => {
      order.push(...entries.map(({ event }) => event.type))
      return log.append(session, expected, entries)
    },
    definitions: {
      has: log.definitions.has,
      get: log.definitions.get,
      put: (hash, definition) => {
        order.push('definition')
        return log.definitions.put(hash, definition)
      },
    },
  }
  const catalog = await createCatalog({ skills: [aSkill('owls')] })
  const workspace = await VirtualWorkspace.open({ catalog, log: watched, metaTools: [] })
  await workspace.activateSkill('owls')
  expect(order).toEqual([
    'definition',
    'definition',
    'session.opened',
    'definition',
    'definition',
    'source.opened',
  ])
})
