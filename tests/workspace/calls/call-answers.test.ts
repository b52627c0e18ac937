import {
  createMemoryLog,
  type VirtualWorkspace,
  type EventLog,
  type WorkspaceOptions,
} from 'loadout'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { CallAnswers, type ModelCall } from '../../../src/workspace/calls/call-answers.ts'
import { aTool, aWorkspace } from '../a-workspace.ts'

/** A shop that finds orders at once, and pays them back only when a person has approved it. */
async function aShop(options: Omit<WorkspaceOptions, 'catalog'> = {}) {
  const done: unknown[] = []
  const order = z.object({ order: z.string() }) as never
  const find = aTool('find', {
    inputSchema: order,
    execute: (input: unknown) => {
      done.push({ find: input })
      return { input }
    },
  })
  const refund = aTool('refund', {
    inputSchema: order,
    requiresConfirmation: true,
    execute: (input: unknown) => {
      done.push({ refund: input })
      return 'paid'
    },
  })
  const workspace = await aWorkspace({}, { tools: [find, refund], ...options })
  return { done, workspace, calls: new CallAnswers(workspace) }
}

const FIND: ModelCall = { id: 'c1', tool: 'find', input: '{"order":"7"}' }
const REFUND: ModelCall = { id: 'c2', tool: 'refund', input: '{"order":"7"}' }

test('calls of one answer run in parallel, each once, and come back in their order', async () => {
  const started = Promise.withResolvers<void>()
  const slow = aTool('slow', { execute: () => started.promise.then(() => 'slow') })
  const quick = aTool('quick', {
    execute: () => {
      started.resolve()
      return 'quick'
    },
  })
  const workspace = await aWorkspace({}, { tools: [slow, quick] })
  const { answered, waiting } = await new CallAnswers(workspace).answer([
    { id: 'c1', tool: 'slow', input: '' },
    { id: 'c2', tool: 'quick', input: {} },
  ])
  expect(answered).toMatchObject([
    { call: { id: 'c1' }, response: { ok: true, data: 'slow' } },
    { call: { id: 'c2' }, response: { ok: true, data: 'quick' } },
  ])
  expect(waiting).toEqual([])
})

test('an answer that is handled twice, also at the same time, runs nothing twice', async () => {
  const { done, calls } = await aShop()
  const [first, second] = await Promise.all([calls.answer([FIND]), calls.answer([FIND])])
  expect(await calls.answer([{ ...FIND }])).toEqual(first)
  expect(second).toEqual(first)
  expect(done).toHaveLength(1)
})

test('the same id in a later step is another call', async () => {
  const { done, calls, workspace } = await aShop()
  await calls.answer([FIND])
  calls.begin()
  await workspace.beginStep()
  await calls.answer([FIND])
  expect(done).toHaveLength(2)
})

test('a call that waits does not keep back the others, and runs once when it is approved', async () => {
  const { done, workspace, calls } = await aShop()
  const parked = await calls.answer([FIND, REFUND])
  expect(parked.answered.map(({ call }) => call.id)).toEqual(['c1'])
  const [asked] = workspace.state.confirmations
  expect(parked.waiting).toEqual([
    {
      confirmation: asked?.id,
      call: 'c2',
      tool: 'refund',
      input: { order: '7' },
      expiresAt: asked?.expiresAt,
    },
  ])
  const entries = (await workspace.entries()).length
  expect(await calls.answer([FIND, REFUND])).toEqual(parked)
  expect(await workspace.entries()).toHaveLength(entries)
  await workspace.approve(asked?.id ?? '', { by: 'user' })
  const both = () => calls.answer([FIND, REFUND])
  const [complete] = await Promise.all([both(), both(), both()])
  expect(complete.answered.map(({ response }) => response.ok)).toEqual([true, true])
  expect(complete.waiting).toEqual([])
  expect(done).toEqual([{ find: { order: '7' } }, { refund: { order: '7' } }])
})

test('a denial is the result of the call', async () => {
  const { done, workspace, calls } = await aShop()
  const { waiting } = await calls.answer([REFUND])
  await workspace.deny(waiting[0]?.confirmation ?? '', { by: 'user' })
  expect(await calls.answer([REFUND])).toMatchObject({
    answered: [{ response: { ok: false, error: { type: 'DENIED' } } }],
    waiting: [],
  })
  expect(done).toEqual([])
})

test('a question that has expired is asked again under another id', async () => {
  const clock = { at: 1_000_000, now: () => clock.at, monotonic: () => clock.at }
  const { workspace, calls } = await aShop({ testing: { clock } })
  const first = await calls.answer([REFUND])
  clock.at += 3_600_000
  await workspace.approve(first.waiting[0]?.confirmation ?? '', { by: 'user' })
  const second = await calls.answer([REFUND])
  expect(second.waiting).toHaveLength(1)
  expect(second.waiting[0]?.confirmation).not.toBe(first.waiting[0]?.confirmation)
})

test('a redactor that hides ids does not lose the question', async () => {
  const redact = { keys: ['confirmation'] }
  const { done, workspace, calls } = await aShop({ redact })
  const { waiting } = await calls.answer([REFUND])
  expect(waiting[0]?.confirmation).toBe(workspace.state.confirmations[0]?.id)
  await workspace.approve(waiting[0]?.confirmation ?? '', { by: 'user' })
  await calls.answer([REFUND])
  expect(done).toHaveLength(1)
})

test('another process resumes what a person was asked about, and gets the results of what ran', async () => {
  const log: EventLog = createMemoryLog()
  const here = await aShop({ log, session: 's' })
  const { waiting } = await here.calls.answer([FIND, REFUND])
  await here.workspace.approve(waiting[0]?.confirmation ?? '', { by: 'user' })
  await here.workspace.close()
  const there = await aShop({ log, session: 's' })
  const { answered } = await there.calls.resume([FIND, REFUND])
  expect(answered.map(({ call }) => call.id)).toEqual(['c1', 'c2'])
  expect(there.done).toEqual([{ refund: { order: '7' } }])
})

test('a question about a call through `call_tool` names the tool that would run', async () => {
  const { done, workspace, calls } = await aShop({ exposure: 'bridge', metaTools: ['call_tool'] })
  const input = JSON.stringify({ name: 'refund', arguments: { order: '7' } })
  const bridged: ModelCall = { id: 'c1', tool: 'call_tool', input }
  const { waiting } = await calls.answer([bridged])
  expect(waiting).toMatchObject([{ call: 'c1', tool: 'refund', input: { order: '7' } }])
  await workspace.approve(waiting[0]?.confirmation ?? '', { by: 'user' })
  expect((await calls.answer([bridged])).answered).toMatchObject([{ response: { ok: true } }])
  expect(done).toEqual([{ refund: { order: '7' } }])
})

test.each([
  { title: 'text that is not JSON', input: '{"order":"7', says: 'The arguments are not JSON.' },
  {
    title: 'two objects',
    input: '{"order":"7"}{"order":"8"}',
    says: 'The arguments are not JSON.',
  },
  { title: 'a list', input: '["7"]', says: 'The arguments of "find" are not valid' },
])('$title is refused, and the log has an entry of it', async ({ input, says }) => {
  const { done, workspace, calls } = await aShop()
  const { answered } = await calls.answer([{ id: 'c1', tool: 'find', input }])
  const message = expect.stringMatching(new RegExp(`^${says}`, 'u'))
  expect(answered).toMatchObject([
    { response: { ok: false, error: { type: 'VALIDATION', message } } },
  ])
  expect((await workspace.entries()).at(-1)?.event).toMatchObject({ code: 'input-invalid' })
  expect(done).toEqual([])
})

test.each([{ input: '{"order":"7"}' }, { input: { order: '7' } }, { input: '{"order":"7' }])(
  'a call of an answer that was stopped is refused before anything of it is read, and the log says why ($input)',
  async ({ input }) => {
    const { done, workspace, calls } = await aShop()
    const stopped = 'The answer ended inside this call, so it was not made.'
    for (const tool of ['find', 'refund', 'nobody']) {
      const { answered, waiting } = await calls.answer([{ id: tool, tool, input, stopped }])
      expect(waiting).toEqual([])
      expect(answered).toMatchObject([
        {
          response: {
            error: {
              type: 'ABORTED',
              message: `${stopped} Make the call again if it is still needed.`,
              partialSideEffects: false,
              details: { code: 'answer-stopped' },
            },
          },
        },
      ])
      expect((await workspace.entries()).at(-1)?.event).toMatchObject({
        type: 'command.refused',
        command: 'call.start',
        subject: tool,
        code: 'answer-stopped',
        message: stopped,
      })
    }
    expect(done).toEqual([])
  },
)

test('the signal reaches every handler, and an aborted call does not run again', async () => {
  const started: string[] = []
  const waits = (name: string) =>
    aTool(name, {
      execute: (_: unknown, { signal }: { signal: AbortSignal }) => {
        started.push(name)
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason))
          if (started.length === 2) aborting.abort(new Error('The client is gone.'))
        })
      },
    })
  const aborting = new AbortController()
  const { signal } = aborting
  const workspace = await aWorkspace({}, { tools: [waits('one'), waits('two')] })
  const calls = new CallAnswers(workspace)
  const both = ['one', 'two'].map((tool) => ({ id: tool, tool, input: {} }))
  const { answered } = await calls.answer(both, { signal })
  expect(answered.map(({ response }) => !response.ok && response.error.type)).toEqual([
    'ABORTED',
    'ABORTED',
  ])
  await calls.answer(both)
  expect(started).toEqual(['one', 'two'])
})

test('a call that was given up before it started can still be made', async () => {
  const { done, workspace } = await aShop()
  const aborting = new AbortController()
  const { signal } = aborting
  const calls = new CallAnswers({
    ...gateOf(workspace),
    callTool: (tool, input, options) => {
      const response = workspace.callTool(tool, input, options)
      aborting.abort(new Error('The client is gone.'))
      return response
    },
  })
  expect(await calls.answer([FIND], { signal })).toMatchObject({
    answered: [{ response: { error: { type: 'ABORTED', partialSideEffects: false } } }],
  })
  expect(done).toEqual([])
  expect(await calls.answer([FIND])).toMatchObject({ answered: [{ response: { ok: true } }] })
  expect(done).toHaveLength(1)
})

test('a call that waits has the rule that asks, its reason and the preview', async () => {
  const send = aTool('send', { preview: () => 'Sends one mail.' })
  const isLate = () => 'it is late'
  const policy = { permissions: { ask: [{ tool: 'send', when: isLate }] } }
  const calls = new CallAnswers(await aWorkspace({ tools: [send] }, { policy }))
  const { waiting } = await calls.answer([{ id: 'c1', tool: 'send', input: '{}' }])
  expect(waiting).toMatchObject([
    {
      call: 'c1',
      asks: { rule: { tool: 'send', when: 'isLate' }, because: 'it is late' },
      preview: { kind: 'text', text: 'Sends one mail.' },
    },
  ])
})

function gateOf(workspace: VirtualWorkspace) {
  return {
    get state() {
      return workspace.state
    },
    approvals: workspace.approvals,
    getAvailableTools: workspace.getAvailableTools.bind(workspace),
    getToolSource: workspace.getToolSource.bind(workspace),
  }
}
