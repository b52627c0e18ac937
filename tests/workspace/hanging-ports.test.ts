import {
  type ApprovalStore,
  createMemoryApprovals,
  createMemoryLog,
  defineComponent,
  type EventLog,
  type VirtualWorkspace,
  type WorkspaceOptions,
} from 'loadout'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fold } from '../../src/engine/evolve/evolve.ts'
import { aSkill, aTool, aWorkspace, history } from './a-workspace.ts'

/** Work that never ends. `begun` resolves when it is first asked for. */
function aHang() {
  const begun = Promise.withResolvers<AbortSignal | undefined>()
  const hang = (signal?: AbortSignal): Promise<never> => {
    begun.resolve(signal)
    return new Promise(() => {})
  }
  return { hang, begun: begun.promise }
}

const memory = createMemoryApprovals()

const asked = aTool('asked', { requiresConfirmation: true })

const look = aTool('look')

interface Hanging {
  readonly port: string
  readonly options: (
    hang: (signal?: AbortSignal) => Promise<never>,
  ) => Omit<WorkspaceOptions, 'catalog'>
  readonly act: (workspace: VirtualWorkspace) => Promise<unknown>
}

async function approved(workspace: VirtualWorkspace): Promise<unknown> {
  await workspace.callTool('asked', {})
  const id = workspace.state.confirmations[0]?.id ?? ''
  return workspace.approve(id, { remember: 'digest' })
}

const PORTS: readonly Hanging[] = [
  {
    port: 'an approval store that is asked',
    options: (hang) => ({ approvals: { ...memory, has: () => hang() } satisfies ApprovalStore }),
    act: (workspace) => workspace.callTool('asked', {}),
  },
  {
    port: 'an approval store that is told',
    options: (hang) => ({ approvals: { ...memory, put: () => hang() } }),
    act: approved,
  },
  {
    port: 'an approval store that forgets',
    options: (hang) => ({ approvals: { ...memory, remove: () => hang() } }),
    act: (workspace) => workspace.approvals.revoke('asked'),
  },
  {
    port: 'an exposure strategy',
    options: (hang) => ({
      exposure: { name: 'slow', plan: () => hang() } as NonNullable<WorkspaceOptions['exposure']>,
    }),
    act: (workspace) => workspace.beginStep(),
  },
  {
    port: 'a search of the host',
    options: (hang) => ({
      discovery: { search: { search: () => hang() } },
      metaTools: ['tool_search'],
    }),
    act: (workspace) => workspace.callTool('tool_search', { query: 'owls' }),
  },
  { port: 'onActivate', options: () => ({}), act: (workspace) => workspace.activateSkill('owls') },
  {
    port: 'onActivate of a second skill, whose first one is undone',
    options: () => ({}),
    act: (workspace) => workspace.activateSkill('barn'),
  },
]

function open(
  { options }: Hanging,
  hang: (signal?: AbortSignal) => Promise<never>,
  more: Partial<WorkspaceOptions> = {},
) {
  const onActivate = ({ signal }: { readonly signal: AbortSignal }) => hang(signal)
  const skills = [
    aSkill('owls', { onActivate }),
    aSkill('nest', { onActivate: () => undefined, onDeactivate: ({ signal }) => hang(signal) }),
    aSkill('barn', { requires: ['nest'], onActivate }),
  ]
  return aWorkspace({ skills, tools: [asked, look] }, { ...options(hang), ...more })
}

describe.each(PORTS)('$port that hangs', (hanging) => {
  test('does not keep a workspace from closing', async () => {
    const { hang, begun } = aHang()
    const log = createMemoryLog()
    const limits = { timeoutMs: 600_000, hookTimeoutMs: 600_000 }
    const workspace = await open(hanging, hang, { log, limits })
    const acting = hanging.act(workspace).catch((error: unknown) => error)
    const signal = await begun
    await workspace.close()
    await acting
    expect(signal?.aborted ?? true).toBe(true)
    const entries = await log.read(workspace.session)
    expect(workspace.state).toEqual(fold(entries))
    expect(workspace.state.open.filter(({ source }) => source === 'skill')).toEqual([])
  })

  test('has a time limit, and later commands are carried out', async () => {
    const { hang } = aHang()
    const limits = { timeoutMs: 20, hookTimeoutMs: 20 }
    const workspace = await open(hanging, hang, { limits })
    await hanging.act(workspace).catch((error: unknown) => error)
    expect(await workspace.callTool('look', {})).toMatchObject({ ok: true })
    expect(await workspace.beginTurn()).toMatchObject({ ok: true })
    await workspace.close()
  })
})

test('a call that waits for an approval store ends when its caller gives up, and did not start', async () => {
  const { hang, begun } = aHang()
  const workspace = await aWorkspace(
    { tools: [asked] },
    { approvals: { ...memory, has: () => hang() }, limits: { timeoutMs: 600_000 } },
  )
  const caller = new AbortController()
  const calling = workspace.callTool('asked', {}, { signal: caller.signal })
  await begun
  caller.abort(new Error('the user went home'))
  expect(await calling).toMatchObject({
    ok: false,
    error: { type: 'ABORTED', partialSideEffects: false },
  })
  expect(workspace.state.confirmations).toEqual([])
})

test('an approval store that hangs counts as empty, and the log has a warning', async () => {
  const workspace = await aWorkspace(
    { tools: [asked] },
    { approvals: { ...memory, has: () => aHang().hang() }, limits: { timeoutMs: 20 } },
  )
  expect(await workspace.callTool('asked', {})).toMatchObject({
    error: { type: 'CONFIRMATION_REQUIRED' },
  })
  expect((await workspace.entries()).at(-2)?.event).toMatchObject({
    type: 'warning.given',
    code: 'approvals-unreadable',
    message: expect.stringContaining('did not end within 20 ms') as string,
  })
})

test('an exposure strategy that hangs is an error with a code', async () => {
  const exposure = { name: 'slow', plan: () => aHang().hang() } as NonNullable<
    WorkspaceOptions['exposure']
  >
  const workspace = await aWorkspace({ tools: [look] }, { exposure, limits: { timeoutMs: 20 } })
  await expect(workspace.beginStep()).rejects.toMatchObject({ code: 'TIME_LIMIT' })
  await expect(workspace.previewStep()).rejects.toMatchObject({ code: 'TIME_LIMIT' })
})

describe('while a hook runs', () => {
  const notes = defineComponent({
    key: 'notes',
    initialState: 0 as number,
    tools: (define) => [
      define({
        name: 'note',
        description: 'Count.',
        execute: (_, { update }) => update((n) => n + 1),
      }),
    ],
    panel: (count) => ({ title: 'Notes', lines: [String(count)] }),
  })

  async function pending() {
    const hook = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const log = createMemoryLog()
    const owls = aSkill('owls', {
      onActivate: () => {
        begun.resolve()
        return hook.promise
      },
    })
    const definitions = { skills: [owls, aSkill('bats')], tools: [look], components: [notes] }
    const workspace = await aWorkspace(definitions, { log, session: 's' })
    const activating = workspace.activateSkill('owls')
    await begun.promise
    return { workspace, activating, hook, log }
  }

  test('calls of other tools start, change state and end', async () => {
    const { workspace, activating, hook, log } = await pending()
    expect(await workspace.callTool('look', {})).toMatchObject({ ok: true })
    expect(await workspace.callTool('note', {})).toMatchObject({ ok: true, data: 1 })
    expect(workspace.store.getState().pending).toEqual(['owls'])
    hook.resolve()
    expect(await activating).toMatchObject({ ok: true })
    expect((await history(workspace)).slice(-6)).toEqual([
      'call.started global',
      'call.ended look',
      'call.started notes',
      'component.updated notes',
      'call.ended note',
      'source.opened owls',
    ])
    expect(workspace.state).toEqual(fold(await log.read('s')))
  })

  test('a call of a tool that it adds, and every other command, wait for it', async () => {
    const { workspace, activating, hook } = await pending()
    const ends: string[] = []
    const note = (name: string) => () => void ends.push(name)
    const others = [
      workspace.callTool('owls_tool', {}).then(({ ok }) => void ends.push(`added: ${ok}`)),
      workspace.activateSkill('bats').then(note('command')),
      workspace.beginStep().then(note('step')),
    ]
    await workspace.callTool('look', {})
    expect(ends).toEqual([])
    void activating.then(note('activated'))
    hook.resolve()
    await Promise.all(others)
    expect(ends[0]).toBe('activated')
    expect(ends).toContain('added: true')
  })

  test('calls that go on when it fails are all in the log, which folds to the state', async () => {
    const { workspace, activating, hook, log } = await pending()
    const calls = Array.from({ length: 20 }, () => workspace.callTool('note', {}))
    hook.reject(new Error('no nest'))
    expect(await activating).toMatchObject({ ok: false, code: 'hook-failed' })
    for (const answer of await Promise.all(calls)) expect(answer.ok).toBe(true)
    expect(workspace.exportComponent('notes')).toBe(20)
    expect(workspace.state).toEqual(fold(await log.read('s')))
  })

  test('the hook of a resumed skill that is cut short by closing leaves the skill active', async () => {
    const log = createMemoryLog()
    const first = await aWorkspace({ skills: [aSkill('owls')] }, { log, session: 's' })
    await first.activateSkill('owls')
    await first.close()
    const { hang, begun } = aHang()
    const skills = [aSkill('owls', { onActivate: ({ signal }) => hang(signal) })]
    const again = await aWorkspace({ skills }, { log, session: 's' })
    const calling = again.callTool('owls_tool', {})
    await begun
    await again.close()
    expect(await calling).toMatchObject({ ok: false, error: { type: 'ABORTED' } })
    expect(again.state.open.map(({ owner }) => owner)).toContain('owls')
  })
})

describe('a log that hangs', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))

  afterEach(() => void vi.useRealTimers())

  test.each<{ readonly what: string; readonly act: (one: VirtualWorkspace) => Promise<unknown> }>([
    { what: 'a command', act: (workspace) => workspace.beginTurn() },
    { what: 'a call', act: (workspace) => workspace.callTool('look', {}) },
    {
      what: 'the end of a child session',
      act: (workspace) => workspace.sessions.child().then((child) => child.close()),
    },
  ])('$what does not hold up close() for longer than its limit', async ({ act }) => {
    const log = createMemoryLog()
    const { hang, begun } = aHang()
    let hangs = false
    const workspace = await aWorkspace(
      { tools: [look] },
      { log: { ...log, append: (...given) => (hangs ? hang() : log.append(...given)) } },
    )
    const { session } = workspace
    await workspace.sessions.child()
    hangs = true
    const acting = act(workspace)
    await begun
    const closing = workspace.close().catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(30_000)
    expect(await closing).toMatchObject({ code: 'TIME_LIMIT', facts: { session } })
    await expect(workspace.beginTurn()).rejects.toMatchObject({ code: 'WORKSPACE_CLOSED' })
    expect(vi.getTimerCount()).toBe(0)
    acting.catch(() => undefined)
  })

  /** A log of which appends, or everything, hang until they are released, and are then done. */
  function aPausedLog() {
    const { immediate: _immediate, ...log } = createMemoryLog()
    const pause: { hangs: 'nothing' | 'append' | 'everything' } = { hangs: 'nothing' }
    const released = Promise.withResolvers<void>()
    const paused =
      <T extends unknown[], R>(work: (...given: T) => Promise<R>) =>
      async (...given: T): Promise<R> => {
        const isAppend = (work as unknown) === log.append
        if (pause.hangs === 'everything' || (pause.hangs === 'append' && isAppend)) {
          await released.promise
        }
        return work(...given)
      }
    const { definitions } = log
    const slow: EventLog = {
      ...log,
      append: paused(log.append),
      read: paused(log.read),
      definitions: {
        has: paused(definitions.has),
        put: paused(definitions.put),
        get: paused(definitions.get),
      },
    }
    const release = () => {
      pause.hangs = 'nothing'
      released.resolve()
      return vi.advanceTimersByTimeAsync(0)
    }
    return { log, slow, pause, release }
  }

  test.each<{
    readonly what: string
    readonly hangs?: 'append'
    readonly act: (workspace: VirtualWorkspace) => Promise<unknown>
    readonly code?: string
  }>([
    { what: 'a command', act: (workspace) => workspace.beginTurn() },
    { what: 'a command that changes nothing', act: (workspace) => workspace.endTurn() },
    { what: 'a registration', act: (workspace) => workspace.registerTool(aTool('late')) },
    { what: 'an activation', hangs: 'append', act: (workspace) => workspace.activateSkill('owls') },
    { what: 'a step', act: (workspace) => workspace.beginStep() },
    {
      what: 'a call',
      act: async (workspace) => {
        const answer = await workspace.callTool('look', {})
        expect(answer).toMatchObject({ ok: false, error: { partialSideEffects: false } })
        throw answer.ok ? undefined : answer.error.details
      },
    },
  ])('$what ends at the limit, and is in the state when it reaches the log later', async (row) => {
    let looks = 0
    const hooks: string[] = []
    const owls = aSkill('owls', {
      onActivate: () => void hooks.push('on'),
      onDeactivate: () => void hooks.push('off'),
    })
    const counted = aTool('look', { execute: () => (looks += 1) })
    const { log, slow, pause, release } = aPausedLog()
    const workspace = await aWorkspace({ tools: [counted], skills: [owls] }, { log: slow })
    await workspace.endTurn()
    const { session, state } = workspace
    pause.hangs = row.hangs ?? 'everything'
    const acting = row.act(workspace).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await acting).toMatchObject({ code: 'TIME_LIMIT' })
    expect(workspace.state).toEqual(state)
    expect(vi.getTimerCount()).toBe(0)
    expect(looks).toBe(0)
    expect(hooks).toEqual(row.what === 'an activation' ? ['on', 'off'] : [])

    await release()
    await workspace.beginTurn()
    expect(workspace.state).toEqual(fold(await log.read(session)))
    await workspace.close()
  })

  test('tools whose registration reached the log after the limit have their handlers', async () => {
    const { slow, pause, release } = aPausedLog()
    const workspace = await aWorkspace({}, { log: slow })
    pause.hangs = 'append'
    const registering = workspace.registerTool(aTool('late')).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await registering).toMatchObject({ code: 'TIME_LIMIT' })
    await release()
    await workspace.beginTurn()
    expect(await workspace.callTool('late', {})).toMatchObject({ ok: true, data: 'late' })
    await workspace.close()
  })

  test('of two registrations that failed, the one that reached the log has its handlers', async () => {
    const { slow, pause, release } = aPausedLog()
    const workspace = await aWorkspace({}, { log: slow })
    pause.hangs = 'append'
    const registering = ['first', 'second'].map((name) =>
      workspace.registerTool(aTool(name)).catch((error: unknown) => error),
    )
    await vi.advanceTimersByTimeAsync(120_000)
    expect(await Promise.all(registering)).toMatchObject([
      { code: 'TIME_LIMIT' },
      { code: 'TIME_LIMIT' },
    ])
    await release()
    await workspace.beginTurn()
    expect(await workspace.callTool('first', {})).toMatchObject({ ok: true, data: 'first' })
    await workspace.close()
  })

  test('a call whose end reached the log after the limit was made once, and has ended', async () => {
    let looks = 0
    const { log, slow, pause, release } = aPausedLog()
    const counted = aTool('look', {
      execute: () => {
        pause.hangs = 'append'
        return (looks += 1)
      },
    })
    const workspace = await aWorkspace({ tools: [counted] }, { log: slow, session: 's' })
    const calling = workspace.callTool('look', {})
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await calling).toMatchObject({
      ok: false,
      error: { partialSideEffects: true, details: { code: 'end-not-recorded' } },
    })
    await release()
    await workspace.beginTurn()
    expect(workspace.state).toEqual(fold(await log.read('s')))
    expect(workspace.state.calls).toEqual([])
    expect(looks).toBe(1)
    await workspace.close()
  })
})
