import { createMemoryApprovals, createMemoryLog, type ToolResponse } from 'loadout'
import { expect, test, vi } from 'vitest'
import { aSkill, aTool, aWorkspace } from '../a-workspace.ts'

const wipe = aTool('wipe', { risk: 'destructive', execute: () => 'wiped' })

const types = async (workspace: { entries(): Promise<readonly { event: { type: string } }[]> }) =>
  (await workspace.entries()).map(({ event }) => event.type).slice(-4)

test('a question that is answered during the call is recorded like any other', async () => {
  const workspace = await aWorkspace({ tools: [wipe] })
  const asked: unknown[] = []
  const made = await workspace.callTool(
    'wipe',
    {},
    {
      caller: 'model',
      approve: (question) => {
        asked.push(question.tool)
        return true
      },
    },
  )
  expect(made).toMatchObject({ ok: true, data: 'wiped' })
  expect(asked).toEqual(['wipe'])
  expect(await types(workspace)).toEqual([
    'confirmation.asked',
    'confirmation.approved',
    'call.started',
    'call.ended',
  ])
  expect((await workspace.entries()).at(-3)).toMatchObject({ cause: { by: 'user' } })
})

test('a denied call is refused, and the same call asks nobody again in this turn', async () => {
  const workspace = await aWorkspace({ tools: [wipe] })
  const approve = vi.fn<() => Promise<boolean>>(() => Promise.resolve(false))
  for (let times = 0; times < 2; times += 1) {
    const response = await workspace.callTool('wipe', {}, { caller: 'model', approve })
    expect(response).toMatchObject({ ok: false, error: { type: 'DENIED' } })
  }
  expect(approve).toHaveBeenCalledTimes(1)
})

test('an answer with a scope holds for the next calls, too', async () => {
  const workspace = await aWorkspace({ tools: [wipe] }, { approvals: createMemoryApprovals() })
  const approve = vi.fn<() => 'digest'>(() => 'digest')
  for (let times = 0; times < 2; times += 1) {
    const response = await workspace.callTool('wipe', {}, { caller: 'model', approve })
    expect(response).toMatchObject({ ok: true })
  }
  expect(approve).toHaveBeenCalledTimes(1)
})

test.each([
  ['does not answer', () => undefined],
  ['throws', () => Promise.reject(new Error('no terminal'))],
  ['answers with something else', () => 'yes' as never],
])('the question stays open when the person %s', async (_, approve) => {
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
  const workspace = await aWorkspace({ tools: [wipe] })
  const response = await workspace.callTool('wipe', {}, { caller: 'model', approve })
  expect(response).toMatchObject({ ok: false, error: { type: 'CONFIRMATION_REQUIRED' } })
  const [question] = workspace.state.confirmations
  expect(question).toMatchObject({ consent: 'pending' })
  await workspace.approve(question?.id ?? '')
  expect(await workspace.callTool('wipe', {}, { caller: 'model' })).toMatchObject({ ok: true })
  warned.mockRestore()
})

test('an answer from elsewhere ends the wait for the person', async () => {
  const log = createMemoryLog()
  const workspace = await aWorkspace({ tools: [wipe] }, { log, session: 's' })
  let given: AbortSignal | undefined
  const response = await workspace.callTool(
    'wipe',
    {},
    {
      caller: 'model',
      approve: async ({ id }, { signal }) => {
        given = signal
        await workspace.approve(id, { by: 'user' })
        return new Promise<never>(() => undefined)
      },
    },
  )
  expect(response).toMatchObject({ ok: true, data: 'wiped' })
  expect(given?.aborted).toBe(true)
})

test('a call that is given up while a person is asked runs nothing', async () => {
  const workspace = await aWorkspace({ tools: [wipe] })
  const controller = new AbortController()
  const call = workspace.callTool(
    'wipe',
    {},
    {
      caller: 'model',
      signal: controller.signal,
      approve: () => {
        controller.abort(new Error('The user left.'))
        return new Promise<never>(() => undefined)
      },
    },
  )
  expect(await call).toMatchObject({ ok: false, error: { type: 'ABORTED' } })
  expect((await types(workspace)).at(-1)).toBe('confirmation.asked')
})

test('a question that expires is not waited for any longer', async () => {
  const workspace = await aWorkspace({ tools: [wipe] }, { limits: { confirmationMs: 20 } })
  const approve = () => new Promise<never>(() => undefined)
  const response = await workspace.callTool('wipe', {}, { caller: 'model', approve })
  expect(response).toMatchObject({ ok: false, error: { type: 'CONFIRMATION_REQUIRED' } })
})

test('nobody is asked about a call that runs, or is refused for another reason', async () => {
  const workspace = await aWorkspace({
    tools: [wipe, aTool('filed', { inputSchema: { type: 'object', required: ['file'] } })],
  })
  const approve = vi.fn<() => boolean>(() => true)
  await workspace.callTool('filed', {}, { caller: 'model', approve })
  await workspace.callTool('wipe', {}, { caller: 'user', approve })
  expect(approve).not.toHaveBeenCalled()
})

test('the listeners of one call hear of its start, its progress and its end, and of no other call', async () => {
  const slow = aTool('slow', {
    execute: async (_, { progress, callTool }) => {
      progress({ message: 'half', fraction: 0.5 })
      await callTool('inner', {})
      return 'done'
    },
  })
  const workspace = await aWorkspace({ tools: [slow, aTool('inner')] })
  const heard: unknown[] = []
  const ended = Promise.withResolvers<ToolResponse>()
  const response = await workspace.callTool(
    'slow',
    {},
    {
      call: 'call-1',
      background: true,
      onStart: ({ call, tool, owner }) => heard.push([call, tool, owner]),
      onProgress: ({ call, message, fraction }) => heard.push([call, message, fraction]),
      onEnd: ended.resolve,
    },
  )
  expect(response).toMatchObject({ ok: true, data: { status: 'running' } })
  expect(await ended.promise).toMatchObject({ ok: true, data: 'done' })
  expect(heard).toEqual([
    ['call-1', 'slow', 'global'],
    ['call-1', 'half', 0.5],
  ])
  const end = vi.fn<() => void>()
  await workspace.callTool('nothing', {}, { onStart: end, onEnd: end })
  expect(end).not.toHaveBeenCalled()
})

test('a question is asked without a call, once, and the call runs when it is approved', async () => {
  const workspace = await aWorkspace({ tools: [wipe, aTool('clock')] })
  const id = await workspace.approvals.ask('wipe', {})
  expect(workspace.state.confirmations).toMatchObject([{ id, tool: 'wipe', consent: 'pending' }])
  expect(await workspace.approvals.ask('wipe', {})).toBe(id)
  await workspace.approve(id ?? '')
  const { seq } = workspace.state
  expect(await workspace.approvals.ask('wipe', {})).toBe(null)
  expect(await workspace.approvals.ask('clock', {})).toBe(null)
  expect(await workspace.approvals.ask('nothing', {})).toBe(null)
  expect(workspace.state.seq).toBe(seq)
  expect(await workspace.callTool('wipe', {}, { caller: 'model' })).toMatchObject({ ok: true })
})

test('a question without a call activates the skill of a found tool, and shows what the call would do', async () => {
  const rare = aTool('rare', {
    description: 'Wipes a rare page.',
    risk: 'destructive',
    preview: () => 'one page less',
  })
  const workspace = await aWorkspace(
    { skills: [aSkill('pages', { tools: [rare] })] },
    { discovery: {}, metaTools: ['tool_search'], confirmations: { keepArguments: true } },
  )
  await workspace.beginStep()
  await workspace.callTool('tool_search', { query: 'rare' }, { caller: 'model' })
  await workspace.approvals.ask('rare', {})
  expect(workspace.state.open.map(({ owner }) => owner)).toContain('pages')
  expect(workspace.state.confirmations).toMatchObject([
    { tool: 'rare', preview: { kind: 'text', text: 'one page less' } },
  ])
})
