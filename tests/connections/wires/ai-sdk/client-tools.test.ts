import {
  convertToModelMessages,
  type ModelMessage,
  readUIMessageStream,
  tool,
  ToolLoopAgent,
  toUIMessageStream,
  type UIMessage,
} from 'ai'
import {
  createCatalog,
  createMemoryLog,
  toolsFromAiSdk,
  VirtualWorkspace,
  type WorkspaceOptions,
} from 'loadout'
import { forAiSdk } from 'loadout/ai-sdk'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { requestsOf, type Said, scriptedModel } from './scripted-model.ts'

const ask = tool({
  description: 'Ask the user a question.',
  inputSchema: z.object({ question: z.string() }),
  outputSchema: z.object({ answer: z.string() }),
  toModelOutput: ({ output }) => ({ type: 'text', value: `The user said: ${output.answer}` }),
})

const add = tool({
  description: 'Add.',
  inputSchema: z.object({ a: z.number() }),
  execute: ({ a }) => a + 1,
})

const question = { id: 'c1', tool: 'ask', input: { question: 'Which one?' } }

async function open(options: Partial<WorkspaceOptions> = {}) {
  const catalog = await createCatalog({ tools: toolsFromAiSdk({ ask, add }) })
  return VirtualWorkspace.open({ catalog, metaTools: [], ...options })
}

const user = (text: string): UIMessage => ({
  id: text,
  role: 'user',
  parts: [{ type: 'text', text }],
})

/** Runs an agent on messages of a UI, as a server does, and returns them with its answer. */
async function run(workspace: VirtualWorkspace, said: readonly Said[], messages: UIMessage[]) {
  const model = scriptedModel(said)
  const agent = new ToolLoopAgent({ model, ...forAiSdk(workspace) })
  const prompt = await convertToModelMessages(messages, { tools: agent.tools })
  const { stream } = await agent.stream({ messages: prompt })
  const versions: UIMessage[] = []
  const last = messages.at(-1)
  const ui = toUIMessageStream({ stream, tools: agent.tools, originalMessages: messages })
  const message = last?.role === 'assistant' ? { message: structuredClone(last) } : {}
  for await (const one of readUIMessageStream({ stream: ui, ...message })) versions.push(one)
  const before = last?.role === 'assistant' ? messages.slice(0, -1) : messages
  return { model, messages: [...before, ...versions.slice(-1)] }
}

/** Answers a call in the last message, as `addToolOutput` of a UI does. */
function answered(messages: UIMessage[], call: string, answer: object): UIMessage[] {
  const last = messages.at(-1) as UIMessage
  const parts = last.parts.map((part) =>
    'toolCallId' in part && part.toolCallId === call ? { ...part, ...answer } : part,
  ) as UIMessage['parts']
  return [...messages.slice(0, -1), { ...last, parts }]
}

const toolParts = (messages: UIMessage[]) =>
  messages.flatMap(({ parts }) => parts.filter((part) => 'toolCallId' in part))

const results = (prompt: readonly { role: string; content: unknown }[] = []) =>
  (prompt as ModelMessage[]).flatMap(({ role, content }) => (role === 'tool' ? content : []))

const eventsOf = async (workspace: VirtualWorkspace) =>
  (await workspace.entries()).flatMap(({ event }) =>
    event.type.startsWith('call.') || event.type === 'command.refused' ? [event] : [],
  )

test('a tool without a handler is offered, and its call ends the run and waits', async () => {
  const workspace = await open()
  expect(workspace.explain('ask').status).toBe('available')
  const { model, messages } = await run(workspace, [[question], 'Never.'], [user('Go.')])
  expect(requestsOf(model)).toHaveLength(1)
  expect(requestsOf(model)[0]?.tools?.map(({ name }) => name)).toContain('ask')
  expect(toolParts(messages)).toMatchObject([{ type: 'tool-ask', state: 'input-available' }])
  expect(workspace.state.waiting).toMatchObject([{ call: 'c1', tool: 'ask' }])
  expect(workspace.state.calls).toEqual([])
  expect(await eventsOf(workspace)).toMatchObject([
    { type: 'call.started', call: 'c1' },
    { type: 'call.detached', call: 'c1', client: true },
  ])
})

test.each([
  {
    name: 'an answer',
    answer: { state: 'output-available', output: { answer: 'red' } },
    read: { type: 'text', value: 'The user said: red' },
    end: { type: 'call.ended', call: 'c1', ok: true, error: null },
  },
  {
    name: 'an error',
    answer: { state: 'output-error', errorText: 'The form was closed.' },
    read: { type: 'error-text', value: 'The form was closed.' },
    end: { type: 'call.ended', call: 'c1', ok: false, error: 'PERMANENT' },
  },
])('$name of the client ends the call, in another process, too', async ({ answer, read, end }) => {
  const log = createMemoryLog()
  const first = await open({ log, session: 's' })
  const { messages } = await run(first, [[question]], [user('Go.')])
  await first.close()
  const workspace = await open({ log, session: 's' })
  expect(workspace.state.waiting).toHaveLength(1)
  const stored = JSON.parse(JSON.stringify(answered(messages, 'c1', answer))) as UIMessage[]
  const after = await run(workspace, ['Good.'], stored)
  expect(results(requestsOf(after.model)[0]?.prompt)).toMatchObject([{ output: read }])
  expect(workspace.state.waiting).toEqual([])
  expect((await eventsOf(workspace)).at(-1)).toMatchObject(end)
})

test('other calls of the answer run, and the run waits for the client', async () => {
  const workspace = await open()
  const said = [[question, { id: 'c2', tool: 'add', input: { a: 1 } }], 'Never.']
  const { model, messages } = await run(workspace, said, [user('Go.')])
  expect(requestsOf(model)).toHaveLength(1)
  expect(toolParts(messages)).toMatchObject([
    { type: 'tool-ask', state: 'input-available' },
    { type: 'tool-add', state: 'output-available', output: 2 },
  ])
})

test.each([
  {
    name: 'a rule',
    options: { policy: { permissions: { deny: [{ tool: 'ask', where: { question: '*one*' } }] } } },
    input: question.input,
    code: 'denied',
    reason: /^DENIED: This call of "ask" is denied by the policy/,
  },
  {
    name: 'wrong arguments',
    options: {},
    input: { question: 7 },
    code: 'input-invalid',
    reason: /^VALIDATION: The arguments of "ask" are not valid/,
  },
])('a call that $name refuses is denied with the reason, and the run goes on', async (row) => {
  const workspace = await open(row.options)
  const said = [[{ ...question, input: row.input }], 'Well.']
  const { model, messages } = await run(workspace, said, [user('Go.')])
  expect(requestsOf(model)).toHaveLength(2)
  expect(toolParts(messages)).toMatchObject([
    {
      state: 'output-denied',
      approval: { approved: false, reason: expect.stringMatching(row.reason) },
    },
  ])
  expect(await eventsOf(workspace)).toMatchObject([{ type: 'command.refused', code: row.code }])
  expect(workspace.state.waiting).toEqual([])
})

test('of two calls, the one over the budget is denied', async () => {
  const workspace = await open({ policy: { callsPerTurn: { action: 1 } } })
  const said = [[question, { ...question, id: 'c2' }]]
  const { model, messages } = await run(workspace, said, [user('Go.')])
  expect(requestsOf(model)).toHaveLength(1)
  expect(toolParts(messages).map(({ state }) => state)).toEqual([
    'input-available',
    'output-denied',
  ])
  expect(workspace.state.waiting.map(({ call }) => call)).toEqual(['c1'])
})

test('a call that a person has to approve starts when it was approved and answered', async () => {
  const workspace = await open({ policy: { permissions: { ask: ['ask'] } } })
  const first = await run(workspace, [[question]], [user('Go.')])
  expect(toolParts(first.messages)).toMatchObject([{ state: 'approval-requested' }])
  expect(workspace.state.waiting).toEqual([])
  const [part] = toolParts(first.messages) as unknown as { approval: object }[]
  const approval = { ...part?.approval, approved: true }
  const stored = answered(first.messages, 'c1', {
    state: 'output-available',
    output: { answer: 'red' },
    approval,
  })
  await run(workspace, ['Good.'], stored)
  expect(await eventsOf(workspace)).toMatchObject([
    { type: 'call.started', call: 'c1', confirmation: expect.any(String) },
    { type: 'call.detached', client: true },
    { type: 'call.ended', ok: true },
  ])
})

test('a call that the user passes over is aborted', async () => {
  const workspace = await open()
  const { messages } = await run(workspace, [[question]], [user('Go.')])
  await run(workspace, ['Well.'], [...messages, user('Something else.')])
  expect(workspace.state.waiting).toEqual([])
  expect((await eventsOf(workspace)).at(-1)).toMatchObject({ ok: false, error: 'ABORTED' })
})
