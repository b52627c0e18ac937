import {
  createMemoryLog,
  defineIntent,
  StateController,
  succeed,
  type EventLog,
  type Intent,
  type VirtualWorkspace,
} from 'loadout'
import type { StateControllerOptions } from '../../../../src/workspace/calls/intents/state-controller.ts'
import { expect, onTestFinished, test } from 'vitest'
import { aTool, aWorkspace } from '../../a-workspace.ts'

const ring = defineIntent({ type: 'RING', when: 'now' })
const note = defineIntent({ type: 'NOTE', when: 'after-turn' })
const greet = defineIntent({ type: 'GREET', when: 'next-turn' })

const tools = [
  aTool('ask', {
    inputSchema: { type: 'object', properties: { intents: { type: 'array' } } },
    execute: ({ intents }: { intents: readonly Intent[] }) => succeed(null, { intents }),
  } as never),
]
const session = 's'
const intents = [ring, note, greet]

const opened = (log: EventLog = createMemoryLog()) =>
  aWorkspace({}, { tools, intents, session, log })

function controlled(workspace: VirtualWorkspace, options?: StateControllerOptions) {
  const controller = new StateController(workspace, options)
  onTestFinished(() => controller.close())
  return controller
}

const ask = (workspace: VirtualWorkspace, ...asked: readonly Intent[]) =>
  workspace.callTool('ask', { intents: asked })

/** The outcomes of intents and turns, in the order of the log. */
async function story(workspace: VirtualWorkspace) {
  return (await workspace.entries()).flatMap(({ event }) => {
    switch (event.type) {
      case 'turn.begun':
      case 'turn.ended':
        return `${event.type} ${event.turn}`
      case 'intent.taken':
      case 'intent.applied':
        return `${event.type} ${event.intent}`
      case 'intent.failed':
        return `${event.type} ${event.intent} ${event.code}: ${event.message}`
      default:
        return []
    }
  })
}

test('each intent is applied at its moment, once', async () => {
  const workspace = await opened()
  const ran: string[] = []
  const handlers = Object.fromEntries(
    intents.map(({ type }) => [type, (intent: Intent) => ran.push(intent.type)]),
  )
  const controller = controlled(workspace, { handlers })
  await workspace.beginTurn()
  await ask(workspace, greet.intent(), note.intent(), ring.intent())
  await controller.settled()
  expect(ran).toEqual(['RING'])
  await workspace.endTurn()
  await workspace.endTurn()
  await controller.settled()
  expect(ran).toEqual(['RING', 'NOTE'])
  await workspace.beginTurn()
  await controller.settled()
  await controller.settled()
  expect(ran).toEqual(['RING', 'NOTE', 'GREET'])
  expect(await story(workspace)).toEqual([
    'turn.begun 1',
    'intent.taken RING',
    'intent.applied RING',
    'turn.ended 1',
    'intent.taken NOTE',
    'intent.applied NOTE',
    'turn.begun 2',
    'intent.taken GREET',
    'intent.applied GREET',
  ])
  expect(controller.pending).toEqual([])
})

test('a turn that nobody ended is over when the next one begins', async () => {
  const workspace = await opened()
  const controller = controlled(workspace)
  await workspace.beginTurn()
  await ask(workspace, { type: 'END_VOICE_SESSION', when: 'after-turn' })
  await controller.settled()
  expect(controller.controls.ended).toBe(false)
  await workspace.beginTurn()
  await controller.settled()
  expect(controller.controls.ended).toBe(true)
})

test('an intent of a call that ends after its turn is due at once', async () => {
  const workspace = await opened()
  const controller = controlled(workspace)
  await workspace.beginTurn()
  await workspace.endTurn()
  await ask(workspace, { type: 'END_VOICE_SESSION', when: 'after-turn' })
  await controller.settled()
  expect(controller.controls.ended).toBe(true)
})

test('the built-in intents change the controls, until the next turn begins', async () => {
  const workspace = await opened()
  const controller = controlled(workspace)
  await workspace.beginTurn()
  await ask(
    workspace,
    { type: 'SUPPRESS_AUDIO', when: 'now' },
    { type: 'SUPPRESS_TRANSCRIPT', when: 'now', payload: { reason: 'a password' } },
    { type: 'SET_PENDING_MESSAGE', when: 'next-turn', payload: { message: 'Welcome back.' } },
  )
  await controller.settled()
  expect(controller.controls).toEqual({
    ended: false,
    audioSuppressed: true,
    transcriptSuppressed: true,
    pendingMessage: null,
  })
  await workspace.beginTurn()
  await controller.settled()
  expect(controller.controls).toEqual({
    ended: false,
    audioSuppressed: false,
    transcriptSuppressed: false,
    pendingMessage: 'Welcome back.',
  })
  await workspace.beginTurn()
  await controller.settled()
  expect(controller.controls.pendingMessage).toBeNull()
})

test('what a handler throws is logged and not tried again', async () => {
  const workspace = await opened()
  let runs = 0
  const controller = controlled(workspace, {
    handlers: {
      RING: () => {
        runs += 1
        throw new Error('no line')
      },
      SUPPRESS_AUDIO: () => Promise.reject(new Error('stuck')),
    },
  })
  await ask(workspace, ring.intent(), { type: 'SUPPRESS_AUDIO', when: 'now' })
  await controller.settled()
  await controller.settled()
  expect(runs).toBe(1)
  expect(await story(workspace)).toEqual([
    'intent.taken RING',
    'intent.failed RING handler-failed: no line',
    'intent.taken SUPPRESS_AUDIO',
    'intent.failed SUPPRESS_AUDIO handler-failed: stuck',
  ])
  expect(controller.controls.audioSuppressed).toBe(false)
})

test('an intent of a background call is applied when that ends', async () => {
  const gate = Promise.withResolvers<void>()
  const slow = aTool('slow', {
    execute: async () => {
      await gate.promise
      return succeed(null, { intents: [note.intent()] })
    },
  })
  const workspace = await aWorkspace({}, { tools: [slow], intents })
  const ran: string[] = []
  const controller = controlled(workspace, { handlers: { NOTE: ({ call }) => ran.push(call) } })
  await workspace.beginTurn()
  const { meta } = await workspace.callTool('slow', {}, { background: true })
  await workspace.endTurn()
  await controller.settled()
  expect(ran).toEqual([])
  gate.resolve()
  await workspace.calls.waitFor(meta.call)
  await controller.settled()
  expect(ran).toEqual([meta.call])
})

test('a handler cannot change what the session holds', async () => {
  const workspace = await opened()
  const controller = controlled(workspace, {
    handlers: {
      SUPPRESS_AUDIO: ({ payload }) => {
        ;(payload as { reason: string }).reason = 'another'
      },
    },
  })
  await ask(workspace, { type: 'SUPPRESS_AUDIO', when: 'now', payload: { reason: 'why' } })
  await controller.settled()
  expect((await story(workspace)).at(-1)).toContain('handler-failed: Cannot assign to read only')
})

test('a handler that hangs is given up on, with its signal aborted', async () => {
  const workspace = await opened()
  let aborted = false
  const controller = controlled(workspace, {
    limitMs: 5,
    handlers: {
      RING: (_, signal) =>
        new Promise(() => signal.addEventListener('abort', () => (aborted = true))),
    },
  })
  await ask(workspace, ring.intent())
  await controller.settled()
  expect(aborted).toBe(true)
  expect(await story(workspace)).toContain(
    'intent.failed RING handler-failed: The handler of "RING" did not end within 5 ms.',
  )
})

test('an intent the host has no handler for fails, and says so', async () => {
  const workspace = await opened()
  const controller = controlled(workspace, { handlers: { toString: () => undefined } })
  await ask(workspace, ring.intent())
  await controller.settled()
  expect(await story(workspace)).toEqual([
    'intent.failed RING no-handler: The host has no handler for "RING".',
  ])
})

test('a handler may call tools, whose intents follow', async () => {
  const workspace = await opened()
  const ran: string[] = []
  const controller = controlled(workspace, {
    handlers: {
      RING: async () => {
        ran.push('ring')
        if (ran.length < 3) await ask(workspace, ring.intent())
      },
    },
  })
  await ask(workspace, ring.intent())
  await controller.settled()
  expect(ran).toHaveLength(3)
})

test('intents that were returned before a restart are applied after it', async () => {
  const log = createMemoryLog()
  const before = await opened(log)
  await before.beginTurn()
  await ask(before, note.intent(), ring.intent())
  await before.close()
  const after = await opened(log)
  const ran: string[] = []
  const run = ({ type }: Intent) => ran.push(type)
  const controller = controlled(after, { handlers: { RING: run, NOTE: run } })
  await controller.settled()
  expect(ran).toEqual(['RING'])
  await after.endTurn()
  await controller.settled()
  expect(ran).toEqual(['RING', 'NOTE'])
})

test('of many processes one runs the handler of an intent', async () => {
  const log = createMemoryLog()
  const first = await opened(log)
  const ran: string[] = []
  const run = ({ id }: { id: string }) => ran.push(id)
  await ask(first, ...Array.from({ length: 15 }, () => ring.intent()))
  const workspaces = [first, ...(await Promise.all([1, 2, 3, 4].map(() => opened(log))))]
  const controllers = workspaces.map((one) => controlled(one, { handlers: { RING: run } }))
  await Promise.all(controllers.map((one) => one.settled()))
  expect(ran.toSorted()).toEqual(Array.from({ length: 15 }, (_, index) => `3.${index}`).toSorted())
  const told = await story(first)
  expect(told.filter((one) => one === 'intent.applied RING')).toHaveLength(15)
  expect(told).toHaveLength(30)
})

test('what a process that died was applying counts as interrupted when its time is over', async () => {
  const log = createMemoryLog()
  let now = 1_000
  const clock = { now: () => now, monotonic: () => now }
  const open = () => aWorkspace({}, { tools, intents, session, log, testing: { clock } })
  const dead = await open()
  const gate = Promise.withResolvers<void>()
  const dying = new StateController(dead, { handlers: { RING: () => gate.promise } })
  await ask(dead, ring.intent())
  while ((await dead.entries()).at(-1)?.event.type !== 'intent.taken') {
    await new Promise((resolve) => setImmediate(resolve))
  }
  const alive = await open()
  const ran: string[] = []
  const controller = controlled(alive, { handlers: { RING: () => ran.push('again') } })
  await controller.settled()
  expect(controller.pending).toHaveLength(1)
  now += 3_600_000
  await controller.settled()
  expect(controller.pending).toEqual([])
  expect(ran).toEqual([])
  expect((await story(alive)).at(-1)).toBe(
    'intent.failed RING interrupted: The outcome of "RING" of "ask" was not reported in time.',
  )
  gate.resolve()
  await dying.settled()
  expect((await story(alive)).at(-1)).toContain('interrupted')
  await dying.close()
})

test.each([1, 2, 3, 4])(
  'when the log fails at append %i, no handler runs twice and nothing is lost',
  async (failing) => {
    const log = createMemoryLog()
    const workspace = await opened(log)
    const ran: string[] = []
    const run = ({ type }: Intent) => ran.push(type)
    await ask(workspace, ring.intent(), { type: 'SUPPRESS_AUDIO', when: 'now' }, ring.intent())
    let appends = 0
    const append = log.append.bind(log)
    log.append = (...given) => {
      appends += 1
      return appends === failing ? Promise.reject(new Error('disk full')) : append(...given)
    }
    const told: unknown[] = []
    const controller = controlled(workspace, {
      handlers: { RING: run },
      onError: (error) => told.push(error),
    })
    await controller.settled().catch(() => undefined)
    await controller.settled()
    expect(told).toMatchObject([{ message: 'disk full' }])
    expect(ran).toEqual(['RING', 'RING'])
    expect(controller.pending).toEqual([])
    expect(controller.controls.audioSuppressed).toBe(true)
  },
)

test('a closed controller applies nothing more', async () => {
  const workspace = await opened()
  const ran: string[] = []
  const controller = new StateController(workspace, { handlers: { RING: () => ran.push('ring') } })
  await controller.close()
  await ask(workspace, ring.intent())
  await controller.settled()
  expect(ran).toEqual([])
  expect(controller.pending).toHaveLength(1)
})

test('an intent cannot be taken or settled before its moment', async () => {
  const workspace = await opened()
  await ask(workspace, greet.intent())
  const [{ id } = { id: '' }] = workspace.state.intents
  const settle = { type: 'intent.settle' as const, id, taker: 'x', failure: null }
  expect(await workspace.calls.recordIntent(settle)).toMatchObject({
    ok: false,
    code: 'intent-not-due',
  })
  expect(
    await workspace.calls.recordIntent({ type: 'intent.take', id, taker: 'x', limitMs: 1 }),
  ).toMatchObject({ ok: false, code: 'intent-not-due' })
  const before = (await workspace.entries()).length
  await workspace.calls.recordIntent({ ...settle, id: 'unknown' })
  expect(await workspace.entries()).toHaveLength(before)
})
