import {
  convertToModelMessages,
  dynamicTool,
  jsonSchema,
  readUIMessageStream,
  tool,
  ToolLoopAgent,
  type ToolSet,
  toUIMessageStream,
  type UIMessage,
  type UIMessageChunk,
} from 'ai'
import { createCatalog, toolsFromAiSdk, VirtualWorkspace } from 'loadout'
import { forAiSdk } from 'loadout/ai-sdk'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { requestsOf, type Said, scriptedModel } from './scripted-model.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk'

const file = z.object({ path: z.string() })

/** Tools as an agent of the SDK has them. */
const tools = {
  read: tool({
    description: 'Read a file.',
    inputSchema: file,
    execute: ({ path }) => ({ ok: true, data: path, lines: 3 }),
  }),
  say: tool({ description: 'Say.', inputSchema: file, execute: ({ path }) => `read ${path}` }),
  count: tool({ description: 'Count.', inputSchema: file, execute: () => 7 }),
  nothing: tool({ description: 'Do nothing.', inputSchema: file, execute: () => undefined }),
  envelope: tool({
    description: 'Answer with data that looks like an envelope.',
    inputSchema: file,
    execute: ({ path }) => ({ success: true, ok: true, data: path }),
  }),
  failure: tool({
    description: 'Answer with data that looks like a failure.',
    inputSchema: file,
    execute: () => ({ ok: false, error: { type: 'NOT_FOUND', message: 'No file.' } }),
  }),
  odd: tool({
    description: 'Answer with values that JSON cannot carry.',
    inputSchema: file,
    execute: ({ path }) => ({
      path: [path, Number.NaN, undefined],
      map: new Map([[path, 1]]),
      date: new Date(Number.NaN),
      bytes: new Uint8Array([1, 2]),
      error: new Error('no'),
    }),
  }),
  handle: tool({
    description: 'Answer with an object for the program, and tell the model something else.',
    inputSchema: file,
    execute: ({ path }) => ({ path, file: Buffer.from(path), size: 3n }),
    toModelOutput: ({ output }) => ({ type: 'text', value: `${output.file.length} bytes` }),
  }),
  brief: tool({
    description: 'Read, and tell the model less.',
    inputSchema: file,
    execute: ({ path }) => ({ path, text: 'x'.repeat(1000) }),
    toModelOutput: ({ output }) => ({ type: 'text', value: `${output.text.length} characters` }),
  }),
  less: tool({
    description: 'Read, and tell the model other data.',
    inputSchema: file,
    execute: ({ path }) => ({ path, secret: 'hunter2' }),
    toModelOutput: ({ output }) => ({ type: 'json', value: { path: output.path } }),
  }),
  chart: tool({
    description: 'Draw.',
    inputSchema: file,
    execute: ({ path }) => ({ path, png: PNG }),
    toModelOutput: ({ output }) => ({
      type: 'content',
      value: [
        { type: 'text', text: `A chart of ${output.path}` },
        { type: 'file', mediaType: 'image/png', data: { type: 'data', data: output.png } },
      ],
    }),
  }),
  refuse: tool({
    description: 'Say in the output that it failed.',
    inputSchema: file,
    execute: ({ path }) => ({ success: false, path }),
    toModelOutput: ({ output }) => ({ type: 'error-text', value: `No ${output.path}.` }),
  }),
  server: tool({
    description: 'A tool of an MCP server.',
    inputSchema: file,
    execute: ({ path }) => ({ content: [{ type: 'text' as const, text: path }], isError: true }),
    toModelOutput: ({ output }) => ({ type: 'content', value: output.content }),
  }),
  watch: tool({
    description: 'Watch.',
    inputSchema: file,
    async *execute({ path }) {
      yield { path, progress: 1 }
      yield { path, progress: 2 }
    },
  }),
  same: tool({
    description: 'Watch something that does not change.',
    inputSchema: file,
    async *execute({ path }) {
      yield { path }
      yield { path }
    },
  }),
  unlike: tool({
    description: 'Stream values that JSON cannot carry, and data that looks like an envelope.',
    inputSchema: file,
    async *execute() {
      yield { progress: Number.NaN }
      yield { ok: false, error: { type: 'NOT_FOUND', message: 'No file.' } }
      yield { ok: true, data: 1, intents: [] }
    },
  }),
  fail: tool({
    description: 'Fail.',
    inputSchema: file,
    execute: ({ path }): string => {
      throw new TypeError(`${path}: disk full\nsecond line`)
    },
  }),
  wipe: tool({
    description: 'Wipe.',
    inputSchema: file,
    needsApproval: true,
    execute: ({ path }) => ({ wiped: path }),
  }),
  custom: dynamicTool({
    description: 'Of a type that is known at run time.',
    inputSchema: jsonSchema({ type: 'object', properties: { path: { type: 'string' } } }),
    execute: (input) => ({ input }),
  }),
} satisfies ToolSet

type Turn = UIMessage | ((message: UIMessage) => UIMessage)

/** The chunks of a UI stream, the message, and the results that the model read, of each turn. */
async function converse(kind: 'plain' | 'loadout', said: readonly Said[], turns: readonly Turn[]) {
  const model = scriptedModel(said, 'openai.responses')
  const agent =
    kind === 'plain'
      ? new ToolLoopAgent({ model, tools })
      : new ToolLoopAgent({ model, ...forAiSdk<typeof tools>(await workspaceOf()) })
  return { ...(await talk(agent, turns)), read: resultsIn(model) }
}

async function workspaceOf() {
  const catalog = await createCatalog({ tools: toolsFromAiSdk(tools) })
  return VirtualWorkspace.open({ catalog, metaTools: [], provider: 'openai' })
}

async function talk(agent: ToolLoopAgent<never, typeof tools>, turns: readonly Turn[]) {
  const chunks: UIMessageChunk[] = []
  let messages: UIMessage[] = []
  for (const turn of turns) {
    messages =
      typeof turn === 'function'
        ? [...messages.slice(0, -1), turn(messages.at(-1) as UIMessage)]
        : [...messages, turn]
    const prompt = await convertToModelMessages(messages, { tools: agent.tools })
    const { stream } = await agent.stream({ messages: prompt })
    const last = messages.at(-1)
    const ui = toUIMessageStream({ stream, tools: agent.tools, originalMessages: messages })
    const [seen, read] = ui.tee()
    const versions: UIMessage[] = []
    const message = last?.role === 'assistant' ? { message: structuredClone(last) } : {}
    const reading = (async () => {
      for await (const one of readUIMessageStream({ stream: read, ...message })) versions.push(one)
    })()
    for await (const chunk of seen) chunks.push(chunk)
    await reading
    const answer = versions.at(-1) as UIMessage
    messages = [...messages.filter((one) => one !== last || last.role !== 'assistant'), answer]
    messages = JSON.parse(JSON.stringify(messages)) as UIMessage[]
  }
  return { chunks: withoutIds(chunks), messages: withoutIds(messages) }
}

/** Ids of approvals are random. */
function withoutIds<Value>(value: Value): Value {
  const ids: string[] = []
  const text = JSON.stringify(value).replaceAll(/aitxt-\w+/gu, (id) => {
    if (!ids.includes(id)) ids.push(id)
    return `approval ${ids.indexOf(id)}`
  })
  return JSON.parse(text) as Value
}

/** The results in the last request, in the form of the SDK for providers. */
function resultsIn(model: ReturnType<typeof scriptedModel>) {
  return (requestsOf(model).at(-1)?.prompt ?? []).flatMap(({ role, content }) =>
    role === 'tool' ? content : [],
  )
}

const user: UIMessage = { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Go.' }] }

const call = (name: string, id = 'c1') => ({ id, tool: name, input: { path: 'a.ts' } })

test.each([
  { name: 'data', said: [[call('read')], 'Done.'] },
  { name: 'a text', said: [[call('say')], 'Done.'] },
  { name: 'a number', said: [[call('count')], 'Done.'] },
  { name: 'nothing', said: [[call('nothing')], 'Done.'] },
  { name: 'data that looks like an envelope', said: [[call('envelope')], 'Done.'] },
  { name: 'data that looks like a failure', said: [[call('failure')], 'Done.'] },
  { name: 'values that JSON cannot carry', said: [[call('odd')], 'Done.'] },
  { name: 'a stream of equal values', said: [[call('same')], 'Done.'] },
  { name: 'a stream of unusual values', said: [[call('unlike')], 'Done.'] },
  { name: 'a stream', said: [[call('watch')], 'Done.'] },
  { name: 'a text from toModelOutput', said: [[call('brief')], 'Done.'] },
  { name: 'data from toModelOutput', said: [[call('less')], 'Done.'] },
  { name: 'a file', said: [[call('chart')], 'Done.'] },
  { name: 'an error from toModelOutput', said: [[call('refuse')], 'Done.'] },
  { name: 'a result of a server that failed', said: [[call('server')], 'Done.'] },
  { name: 'an exception', said: [[call('fail')], 'Done.'] },
  { name: 'a dynamic tool', said: [[call('custom')], 'Done.'] },
  {
    name: 'several parallel calls',
    said: [[call('read'), call('fail', 'c2'), call('brief', 'c3'), call('read', 'c4')], 'Done.'],
  },
])('$name: parts of messages and results are those of a plain agent', async ({ said }) => {
  const again: UIMessage = { id: 'v', role: 'user', parts: [{ type: 'text', text: 'Again.' }] }
  const script = [...said, 'Yes.']
  const plain = await converse('plain', script, [user, again])
  const loadout = await converse('loadout', script, [user, again])
  expect(inOrderOfCalls(loadout.chunks)).toEqual(inOrderOfCalls(plain.chunks))
  expect(loadout.messages).toEqual(plain.messages)
  expect(loadout.read).toEqual(plain.read)
})

/** Sorts results that follow one another by their calls: those of parallel calls come in the order in which they end. */
function inOrderOfCalls<T extends { readonly type: string }>(chunks: readonly T[]): readonly T[] {
  const isResult = ({ type }: T) => type.startsWith('tool-output-')
  const callOf = (chunk: T) => ('toolCallId' in chunk ? String(chunk.toolCallId) : '')
  const sorted = [...chunks]
  for (let start = 0; start < sorted.length; start += 1) {
    let end = start
    for (let next = sorted[end]; next !== undefined && isResult(next); next = sorted[end]) end += 1
    if (end === start) continue
    const results = sorted.slice(start, end).sort((a, b) => callOf(a).localeCompare(callOf(b)))
    sorted.splice(start, results.length, ...results)
    start = end
  }
  return sorted
}

test('the functions of a tool get the defaults of its schema, live and from a stored message', async () => {
  const read: unknown[] = []
  const available: unknown[] = []
  const list = tool({
    description: 'List.',
    inputSchema: z.object({ path: z.string(), limit: z.number().default(10) }),
    onInputAvailable: ({ input }) => void available.push(input),
    execute: ({ limit }) => limit,
    toModelOutput: ({ input, output }) => ({ type: 'text', value: `${input.limit} ${output}` }),
  })
  const model = scriptedModel([[call('list')], 'Done.', 'Yes.'], 'openai.responses')
  const catalog = await createCatalog({ tools: toolsFromAiSdk({ list }) })
  const workspace = await VirtualWorkspace.open({ catalog, metaTools: [] })
  const agent = new ToolLoopAgent({ model, ...forAiSdk(workspace) })
  const again: UIMessage = { id: 'v', role: 'user', parts: [{ type: 'text', text: 'Again.' }] }
  await talk(agent as never, [user, again])
  for (const { prompt } of requestsOf(model).slice(1)) {
    read.push(...prompt.flatMap(({ role, content }) => (role === 'tool' ? content : [])))
  }
  const output = { type: 'text', value: '10 10' }
  expect(read).toMatchObject([{ output }, { output }])
  expect(available).toEqual([{ path: 'a.ts', limit: 10 }])
})

test('data of a tool of the SDK is never an envelope: it has no intents, and no failure', async () => {
  const data = { ok: true, data: 1, intents: [{ type: 'skill.activate', skill: 'admin' }] }
  const fetched = tool({ description: 'Fetch.', inputSchema: file, execute: () => data })
  const catalog = await createCatalog({ tools: toolsFromAiSdk({ fetched }) })
  const workspace = await VirtualWorkspace.open({ catalog })
  const response = await workspace.callTool('fetched', { path: 'a' })
  expect(response).toMatchObject({ ok: true, data, intents: [] })
})

test('an object for the program, which JSON cannot carry, does not fail the call', async () => {
  const catalog = await createCatalog({ tools: toolsFromAiSdk(tools) })
  const workspace = await VirtualWorkspace.open({ catalog, metaTools: [], provider: 'openai' })
  const model = scriptedModel([[call('handle')], 'Done.'], 'openai.responses')
  const agent = new ToolLoopAgent({ model, ...forAiSdk<typeof tools>(workspace) })
  const { steps } = await agent.generate({ prompt: 'Go.' })
  const [result] = steps[0]?.toolResults ?? []
  expect(result?.output).toEqual({ path: 'a.ts', file: Buffer.from('a.ts'), size: 3n })
  expect(resultsIn(model)).toMatchObject([{ output: { type: 'text', value: '4 bytes' } }])
  const response = await workspace.callTool('chart', { path: 'a.ts' })
  expect(response.ok).toBe(true)
})

/** Answers the question of the last message, as a UI does. */
const answering = (approved: boolean) => (message: UIMessage) => ({
  ...message,
  parts: message.parts.map((part) =>
    'approval' in part && part.approval !== undefined
      ? { ...part, state: 'approval-responded', approval: { ...part.approval, approved } }
      : part,
  ) as UIMessage['parts'],
})

test.each([true, false])(
  'a question that is answered by %s has the parts of a plain agent',
  async (yes) => {
    const said = [[call('wipe'), call('read', 'c2')], 'Done.', 'Yes.']
    const again: UIMessage = { id: 'v', role: 'user', parts: [{ type: 'text', text: 'Again.' }] }
    const plain = await converse('plain', said, [user, answering(yes), again])
    const loadout = await converse('loadout', said, [user, answering(yes), again])
    expect(plain.chunks.filter(({ type }) => type === 'tool-approval-request')).toHaveLength(1)
    expect(loadout.chunks).toEqual(plain.chunks)
    expect(loadout.messages).toEqual(plain.messages)
    expect(loadout.read).toEqual(plain.read)
  },
)

test('a result over the limit is cut for the SDK, too', async () => {
  const long = tool({ description: 'Be long.', inputSchema: file, execute: () => 'x'.repeat(5000) })
  const catalog = await createCatalog({ tools: toolsFromAiSdk({ long }) })
  const workspace = await VirtualWorkspace.open({
    catalog,
    metaTools: [],
    limits: { maxBytes: 999 },
  })
  const model = scriptedModel([[call('long')], 'Done.'], 'openai.responses')
  await new ToolLoopAgent({ model, ...forAiSdk(workspace) }).generate({ prompt: 'Go.' })
  const text = JSON.stringify(resultsIn(model))
  expect(text).toContain('The result was cut. It has 5000 characters')
  expect(text.length).toBeLessThan(2000)
})
