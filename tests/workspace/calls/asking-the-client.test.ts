import { expect, test } from 'vitest'
import {
  createCatalog,
  createMemoryLog,
  defineTool,
  VirtualWorkspace,
} from '../../../src/entries/index.ts'
import type { PendingConfirmation } from '../../../src/engine/model/consent-event.ts'
import type { CallClient } from '../../../src/tools/definition/call-client.ts'
import type { ToolContext } from '../../../src/tools/definition/tool-context.ts'
import type { WorkspaceOptions } from '../../../src/workspace/open/workspace-options.ts'

const NAME_FORM = {
  type: 'object',
  properties: { name: { type: 'string' } },
  required: ['name'],
} as const

async function workspaceWith(
  execute: (context: ToolContext) => unknown,
  options: Partial<WorkspaceOptions> = {},
) {
  const outer = defineTool({
    name: 'outer',
    description: 'Calls the other tool.',
    category: 'utility',
    inputSchema: { type: 'object' },
    execute: async (_, context) => (await context.callTool('it', {})) as never,
  })
  const it = defineTool({
    name: 'it',
    description: 'Asks.',
    category: 'utility',
    inputSchema: { type: 'object' },
    execute: (_, context) => execute(context) as never,
  })
  return VirtualWorkspace.open({ catalog: await createCatalog({ tools: [outer, it] }), ...options })
}

const ask = ({ elicit }: ToolContext) => elicit({ message: 'Who are you?', schema: NAME_FORM })

function answering(name: unknown): CallClient {
  return { elicit: () => Promise.resolve({ action: 'accept', content: { name } as never }) }
}

test.each(['it', 'outer'])(
  'the client of a call answers the handler, called by %s',
  async (tool) => {
    const workspace = await workspaceWith(ask, { client: answering('the host') })
    const response = await workspace.callTool(tool, {}, { client: answering('Ada') })
    expect(JSON.stringify(response)).toContain('"content":{"name":"Ada"}')
    await workspace.close()
  },
)

test('a call without a client is answered by the functions of the host', async () => {
  const workspace = await workspaceWith(ask, { client: answering('the host') })
  expect(await workspace.callTool('it', {}, { client: {} })).toMatchObject({
    ok: true,
    data: { content: { name: 'the host' } },
  })
  await workspace.close()
})

test.each<[string, (context: ToolContext) => unknown, string]>([
  ['elicit', ask, 'elicitation'],
  ['sample', ({ sample }) => sample({ messages: [], maxTokens: 1 }), 'sampling'],
  ['roots', ({ roots }) => roots(), 'roots'],
])('%s without anyone to ask is refused with a reason', async (_, execute, capability) => {
  const workspace = await workspaceWith(execute)
  const response = await workspace.callTool('it', {})
  expect(response).toMatchObject({
    ok: false,
    error: { type: 'UNAVAILABLE', details: { code: 'client-cannot', capability } },
  })
  await workspace.close()
})

test('an answer that does not fit the form fails the question', async () => {
  const workspace = await workspaceWith(ask, { client: answering(12) })
  const { error } = (await workspace.callTool('it', {})) as never as { error: { message: string } }
  expect(error).toMatchInlineSnapshot(`
    {
      "details": {
        "code": "answer-invalid",
        "issues": [
          {
            "message": "must be string, not number",
            "path": "/name",
          },
        ],
      },
      "message": "The answer to the question does not match its form: /name must be string, not number.",
      "partialSideEffects": false,
      "retryable": false,
      "type": "VALIDATION",
    }
  `)
  await workspace.close()
})

test('the time limit of a call is stopped while a person is asked', async () => {
  const answer = Promise.withResolvers<void>()
  const slow: CallClient = {
    async elicit() {
      setTimeout(answer.resolve, 60)
      await answer.promise
      return { action: 'decline' }
    },
  }
  const workspace = await workspaceWith(ask, { client: slow, limits: { timeoutMs: 20 } })
  expect(await workspace.callTool('it', {})).toMatchObject({
    ok: true,
    data: { action: 'decline' },
  })
  await workspace.close()
})

test('a question that nobody answers ends at the limit of confirmations', async () => {
  const client: CallClient = { elicit: () => new Promise(() => undefined) }
  const workspace = await workspaceWith(ask, { client, limits: { confirmationMs: 20 } })
  expect(await workspace.callTool('it', {})).toMatchObject({ ok: false })
  await workspace.close()
})

test('progress and log lines go to the client and to the host', async () => {
  const seen: unknown[] = []
  const client = (at: string): CallClient => ({
    progress: (update) => seen.push([at, update]),
    log: ({ data }) => seen.push([at, data]),
  })
  const workspace = await workspaceWith(
    ({ progress, log }) => {
      progress({ fraction: 0.5 })
      log({ level: 'info', data: 'half' })
      return null
    },
    { client: client('host') },
  )
  await workspace.callTool('it', {}, { client: client('client') })
  expect(seen).toEqual([
    ['client', { fraction: 0.5 }],
    ['host', { fraction: 0.5 }],
    ['client', 'half'],
    ['host', 'half'],
  ])
  await workspace.close()
})

const content = { name: 'Ada' }

/** A host that shows the list of questions: its function gives no answer. */
const LISTED: CallClient = { elicit: () => new Promise(() => undefined) }

/** Resolves with the question that waits. */
function theQuestion({ store }: VirtualWorkspace): Promise<PendingConfirmation> {
  return new Promise((resolve) => {
    const check = () => {
      const [asked] = store.getState().state.confirmations
      if (asked?.consent !== 'pending') return
      stop()
      resolve(asked)
    }
    const stop = store.subscribe(check)
    check()
  })
}

test('a question of a running call is a confirmation, which is answered with the fields of its form', async () => {
  const workspace = await workspaceWith(ask, { client: LISTED })
  const call = workspace.callTool('it', {})
  const asked = await theQuestion(workspace)
  expect(asked).toMatchObject({
    tool: 'it',
    elicitation: { message: 'Who are you?', schema: NAME_FORM },
    expiresAt: expect.any(Number) as number,
  })
  await expect(workspace.approve(asked.id)).rejects.toMatchObject({ code: 'ANSWER_INVALID' })
  expect(await workspace.approve(asked.id, { remember: 'session', content })).toMatchObject({
    ok: false,
    code: 'approval-too-wide',
  })
  expect(workspace.state.confirmations).toHaveLength(1)
  await workspace.approve(asked.id, { by: 'user', content })
  expect(await call).toMatchObject({ ok: true, data: { action: 'accept', content } })
  expect(workspace.state.confirmations).toEqual([])
  const entries = await workspace.entries()
  expect(entries.map(({ event }) => event.type).slice(-4)).toEqual([
    'confirmation.asked',
    'command.refused',
    'confirmation.approved',
    'call.ended',
  ])
  await workspace.close()
})

test('an address is shown in the list, and denying it declines the question', async () => {
  const url = 'https://pay.example/confirm'
  const workspace = await workspaceWith(({ elicit }) => elicit({ message: 'Pay?', url }), {
    client: LISTED,
  })
  const call = workspace.callTool('it', {})
  const { id, elicitation } = await theQuestion(workspace)
  expect(elicitation).toEqual({ message: 'Pay?', url })
  await workspace.deny(id)
  expect(await call).toMatchObject({ ok: true, data: { action: 'decline' } })
  await workspace.close()
})

test('a question can be answered in another process', async () => {
  const log = createMemoryLog()
  const workspace = await workspaceWith(ask, { client: LISTED, log, session: 's', follow: true })
  const call = workspace.callTool('it', {})
  const { id } = await theQuestion(workspace)
  const other = await workspaceWith(ask, { log, session: 's' })
  await other.approve(id, { content })
  expect(await call).toMatchObject({ ok: true, data: { content } })
  await Promise.all([workspace.close(), other.close()])
})

test('a client whose question was answered elsewhere learns it from its signal', async () => {
  const { promise: ended, resolve } = Promise.withResolvers<unknown>()
  const client: CallClient = {
    elicit: (_, signal) =>
      new Promise(() => signal.addEventListener('abort', () => resolve(signal.reason))),
  }
  const workspace = await workspaceWith(ask, { client })
  const call = workspace.callTool('it', {})
  const { id } = await theQuestion(workspace)
  await workspace.deny(id)
  expect(await ended).toMatchObject({ message: 'The question was answered elsewhere.' })
  await call
  await workspace.close()
})

test('the log has the answer of a client, without the fields of the form', async () => {
  const workspace = await workspaceWith(ask, { client: answering('Ada') })
  await workspace.callTool('it', {})
  const entries = await workspace.entries()
  const answer = entries.find(({ event }) => event.type === 'confirmation.approved')
  expect(answer).toMatchObject({ cause: { by: 'user' } })
  expect(answer?.event).toEqual({
    type: 'confirmation.approved',
    id: expect.any(String) as string,
  })
  await workspace.close()
})

test('an answer to a question is no approval of a call', async () => {
  const workspace = await workspaceWith(ask, {
    client: LISTED,
    policy: { permissions: { ask: ['it'] } },
  })
  const first = await workspace.callTool('it', {})
  const { confirmation } = (first as never as { error: { details: { confirmation: string } } })
    .error.details
  await workspace.approve(confirmation)
  const call = workspace.callTool('it', {})
  const { id } = await theQuestion(workspace)
  expect(id).not.toBe(confirmation)
  await workspace.approve(id, { content })
  expect(await call).toMatchObject({ ok: true })
  expect(await workspace.callTool('it', {})).toMatchObject({
    ok: false,
    error: { type: 'CONFIRMATION_REQUIRED' },
  })
  await workspace.close()
})

test('a question of a child session is answered in its parent', async () => {
  const workspace = await workspaceWith(ask, { client: LISTED })
  const child = await workspace.sessions.child()
  const call = child.callTool('it', {})
  const { id, child: asker } = await theQuestion(workspace)
  expect(asker).toBe(child.session)
  await workspace.approve(id, { content })
  expect(await call).toMatchObject({ ok: true, data: { content } })
  await workspace.close()
})

test('a question that is too long is not asked', async () => {
  const long = ({ elicit }: ToolContext) => elicit({ message: 'x'.repeat(70_000), url: 'http://a' })
  const workspace = await workspaceWith(long, { client: LISTED })
  expect(await workspace.callTool('it', {})).toMatchObject({
    ok: false,
    error: { details: { code: 'question-too-long' } },
  })
  expect(workspace.state.confirmations).toEqual([])
  await workspace.close()
})
