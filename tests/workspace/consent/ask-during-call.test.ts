import {
  createMemoryApprovals,
  createMemoryLog,
  type ToolResponse,
  type VirtualWorkspace,
} from 'loadout'
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

test('calls that ask the same question ask it one after another, and an answer counts for one of them', async () => {
  const workspace = await aWorkspace({ tools: [wipe] })
  const asked: string[] = []
  const approve = ({ id }: { readonly id: string }) => {
    asked.push(id)
    return Promise.resolve(true)
  }
  const calls = ['one', 'two'].map((call) =>
    workspace.callTool('wipe', {}, { caller: 'model', call, approve }),
  )
  expect(await Promise.all(calls)).toMatchObject([{ ok: true }, { ok: true }])
  expect(new Set(asked).size).toBe(2)
  expect(asked).toHaveLength(2)
})

test('a deactivation does not wait for a call that a person is asked about', async () => {
  const workspace = await aWorkspace(
    { skills: [aSkill('pages', { tools: [wipe] })] },
    { limits: { drainMs: 1_000_000 } },
  )
  await workspace.activateSkill('pages')
  const response = await workspace.callTool(
    'wipe',
    {},
    {
      caller: 'model',
      approve: async () => {
        await workspace.deactivateSkill('pages')
        return true
      },
    },
  )
  expect(response).toMatchObject({ ok: false, error: { details: { code: 'skill-inactive' } } })
})

test('a person is asked about the calls within a call, and about those of a child session', async () => {
  const outer = aTool('outer', { execute: (_, { callTool }) => callTool('wipe', {}) })
  const workspace = await aWorkspace({ tools: [wipe, outer] })
  const options = { caller: 'model', approve: () => true } as const
  const nested = await workspace.callTool('outer', {}, options)
  expect(nested).toMatchObject({ ok: true, data: 'wiped' })
  const child = await workspace.sessions.child()
  expect(await child.callTool('wipe', {}, options)).toMatchObject({ ok: true, data: 'wiped' })
})

test('an answer in the parent session ends the wait of its child', async () => {
  const workspace = await aWorkspace({ tools: [wipe] }, { log: createMemoryLog() })
  const child = await workspace.sessions.child()
  const relayed = new Promise<string>((resolve) => {
    workspace.subscribe(() => {
      const [one] = workspace.state.confirmations
      if (one?.consent === 'pending') resolve(one.id)
    })
  })
  const never = () => new Promise<never>(() => undefined)
  const call = child.callTool('wipe', {}, { caller: 'model', approve: never })
  await workspace.approve(await relayed, { by: 'user' })
  expect(await call).toMatchObject({ ok: true, data: 'wiped' })
})

test('a question inside a hook is refused with a clear error', async () => {
  const asked: unknown[] = []
  const workspace: VirtualWorkspace = await aWorkspace({
    tools: [wipe],
    skills: [
      aSkill('owls', {
        onActivate: async () => {
          asked.push(await workspace.approvals.ask('wipe', {}).catch((error: unknown) => error))
        },
      }),
    ],
  })
  await workspace.activateSkill('owls')
  expect(asked).toMatchObject([{ message: expect.stringContaining('A hook of "owls"') as string }])
})

test('each of many calls that ask the same question gets an answer, and a wide one holds for all of them', async () => {
  for (const answer of [true, 'digest'] as const) {
    const workspace = await aWorkspace({ tools: [wipe] }, { approvals: createMemoryApprovals() })
    const approve = vi.fn<() => Promise<boolean | 'digest'>>(() => Promise.resolve(answer))
    const calls = Array.from({ length: 8 }, () =>
      workspace.callTool('wipe', {}, { caller: 'model', approve }),
    )
    for (const response of await Promise.all(calls)) expect(response).toMatchObject({ ok: true })
    expect(approve).toHaveBeenCalledTimes(answer === true ? 8 : 1)
  }
})

test('a call without a person does not wait for the person of another call', async () => {
  const workspace = await aWorkspace({ tools: [wipe] })
  const response = await workspace.callTool(
    'wipe',
    {},
    {
      caller: 'model',
      approve: async () => !(await workspace.callTool('wipe', {}, { caller: 'model' })).ok,
    },
  )
  expect(response).toMatchObject({ ok: true, data: 'wiped' })
})

test('nobody is asked for a caller that is gone', async () => {
  const workspace = await aWorkspace({ tools: [wipe] })
  const approve = vi.fn<() => Promise<never>>(() => new Promise(() => undefined))
  const signal = AbortSignal.abort(new Error('The user left.'))
  const response = await workspace.callTool('wipe', {}, { caller: 'model', signal, approve })
  expect(response).toMatchObject({ ok: false, error: { type: 'CONFIRMATION_REQUIRED' } })
  expect(approve).not.toHaveBeenCalled()
})

test('a call that waits for the same call ends when it is given up', async () => {
  const workspace = await aWorkspace({ tools: [wipe] })
  const controller = new AbortController()
  const call = { caller: 'model', call: 'call-1' } as const
  const approve = async () => {
    const again = workspace.callTool('wipe', {}, { ...call, signal: controller.signal })
    controller.abort(new Error('The user left.'))
    expect(await again).toMatchObject({ ok: false, error: { type: 'ABORTED' } })
    return true
  }
  const response = await workspace.callTool('wipe', {}, { ...call, approve })
  expect(response).toMatchObject({ ok: true, data: 'wiped' })
})

test('what the host answered before a person was asked is asked again afterwards', async () => {
  let isOpen = true
  const isClosed = () => !isOpen && 'the shop is closed'
  const permissions = { deny: [{ tool: 'wipe', when: isClosed }] }
  const workspace = await aWorkspace({ tools: [wipe] }, { policy: { permissions } })
  const approve = () => {
    isOpen = false
    return true
  }
  const response = await workspace.callTool('wipe', {}, { caller: 'model', approve })
  expect(response).toMatchObject({ ok: false, error: { type: 'DENIED' } })
})

test.each([
  ['an answer that is none', 'yes' as never, false, 'remember'],
  ['a scope that nobody keeps', 'digest' as const, true, 'not kept'],
])('%s leads to a warning of the process', async (_, answer, ok, text) => {
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
  const workspace = await aWorkspace({ tools: [wipe] })
  const response = await workspace.callTool('wipe', {}, { caller: 'model', approve: () => answer })
  expect(response).toMatchObject({ ok })
  expect(warned.mock.calls).toEqual([[expect.stringContaining(text), expect.anything()]])
  warned.mockRestore()
})

test('a listener of the end of a call gets no secret', async () => {
  const details = { key: 'swordfish-1' }
  const fails = aTool('fails', {
    execute: () => ({
      ok: false,
      error: { type: 'UNAVAILABLE', message: 'No swordfish-1.', details },
    }),
  })
  const workspace = await aWorkspace({ tools: [fails] }, { redact: { secrets: ['swordfish-1'] } })
  const onEnd = vi.fn<(response: ToolResponse) => void>()
  const response = await workspace.callTool('fails', {}, { onEnd })
  expect(JSON.stringify(onEnd.mock.calls)).not.toContain('swordfish')
  expect(onEnd.mock.calls).toEqual([[response]])
})

test('questions of a closed workspace, and of a caller that is gone, reject with the reason', async () => {
  const workspace = await aWorkspace({ tools: [wipe] })
  const reason = new Error('The user left.')
  const options = { signal: AbortSignal.abort(reason) }
  const { approvals } = workspace
  const { seq } = workspace.state
  await expect(approvals.ask('wipe', {}, options)).rejects.toBe(reason)
  await expect(approvals.asksAbout('wipe', {}, options)).rejects.toBe(reason)
  expect(workspace.state.seq).toBe(seq)
  await workspace.close()
  const closed = { code: 'WORKSPACE_CLOSED' }
  await expect(approvals.ask('wipe', {})).rejects.toMatchObject(closed)
  await expect(approvals.asksAbout('wipe', {})).rejects.toMatchObject(closed)
})

test('a question without a call is asked under the rules that the parent of a child has by then', async () => {
  const page = aTool('page', { category: 'action', risk: 'moderate', preview: () => 'a page less' })
  const log = createMemoryLog()
  const has = vi.fn<() => Promise<boolean>>(() => Promise.resolve(false))
  const options = {
    log,
    session: 'parent',
    confirmations: { keepArguments: true },
    approvals: { ...createMemoryApprovals(), has },
  }
  const parent = await aWorkspace({ tools: [page] }, options)
  const child = await parent.sessions.child()
  const elsewhere = await aWorkspace({ tools: [page] }, options)
  await elsewhere.setPermissions({ ask: ['page'] })
  await child.approvals.ask('page', {})
  expect(has).toHaveBeenCalled()
  expect(child.state.confirmations).toMatchObject([{ preview: { text: 'a page less' } }])
})
