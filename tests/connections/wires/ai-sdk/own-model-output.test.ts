import {
  convertToModelMessages,
  createAgentUIStream,
  isStepCount,
  readUIMessageStream,
  tool,
  ToolLoopAgent,
  type UIMessage,
} from 'ai'
import { createCatalog, createMemoryLog, toolsFromAiSdk, VirtualWorkspace } from 'loadout'
import { forAiSdk } from 'loadout/ai-sdk'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { scriptedModel } from './scripted-model.ts'

const lines = Array.from({ length: 200 }, (_, line) => `line ${line}`)

const tools = {
  read: tool({
    inputSchema: z.object({ path: z.string() }),
    execute: ({ path }) => ({ path, lines }),
    toModelOutput: ({ output: { path } }) => ({
      type: 'json',
      value: { path, lines: lines.length },
    }),
  }),
  build: tool({
    inputSchema: z.object({}),
    async *execute(): AsyncGenerator<{ readonly done: number }> {
      yield { done: 1 }
      yield { done: 2 }
    },
    toModelOutput: ({ output }) => ({ type: 'text', value: `${output.done} of 2` }),
  }),
  fail: tool({
    inputSchema: z.object({}),
    execute: (): string => {
      throw new TypeError('disk full')
    },
  }),
}

const calls = [
  [{ id: 'a', tool: 'read', input: { path: 'a.ts' } }],
  [
    { id: 'b', tool: 'build', input: {} },
    { id: 'c', tool: 'fail', input: {} },
  ],
  'Done.',
] as const

const open = async () =>
  VirtualWorkspace.open({ catalog: await createCatalog({ tools: toolsFromAiSdk(tools) }) })

const settings = {
  plain: async () => ({ tools }),
  'one workspace': async () => forAiSdk<typeof tools>(await open()),
  'a workspace for each call': async () => {
    const workspace = await open()
    return forAiSdk({ open: () => workspace, named: tools })
  },
}

/** Runs the script as a chat UI does. Returns the message, and the results that the model read. */
async function chat(way: keyof typeof settings) {
  const model = scriptedModel(calls)
  const stopWhen = isStepCount(9)
  const agent = new ToolLoopAgent({
    model,
    stopWhen,
    ...(await settings[way]()),
  } as ConstructorParameters<typeof ToolLoopAgent>[0])
  const user: UIMessage = { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Build it.' }] }
  const stream = await createAgentUIStream({
    agent,
    uiMessages: [user],
    onError: (error) => String(error instanceof Error ? error.message : error),
  })
  let message: UIMessage | undefined
  for await (const now of readUIMessageStream<UIMessage>({ stream })) message = now
  const { parts = [] } = message ?? {}
  const stored = await convertToModelMessages([user, { id: 'm', role: 'assistant', parts }], {
    tools: agent.tools,
  })
  const last = model.doStreamCalls.at(-1)?.prompt ?? []
  const resultsIn = (messages: readonly { role: string; content: unknown }[]) =>
    messages.filter(({ role }) => role === 'tool').flatMap(({ content }) => content)
  return { parts, sent: resultsIn(last), stored: resultsIn(stored) }
}

test.each(['one workspace', 'a workspace for each call'] as const)(
  'with %s, the model and the UI get of tools of the SDK what the plain agent gives them',
  async (way) => {
    const [plain, moved] = [await chat('plain'), await chat(way)]
    expect(moved.parts).toEqual(plain.parts)
    expect(moved.sent).toEqual(plain.sent)
    expect(moved.stored).toEqual(plain.stored)
    expect(plain.parts.map(({ type }) => type)).toContain('tool-read')
  },
)

test('a step that is made again has the outputs of the tools, and the model reads the same', async () => {
  const log = createMemoryLog()
  let runs = 0
  const counting = {
    ...tools,
    read: tool({ ...tools.read, execute: ({ path }) => ({ path, lines: [`run ${++runs}`] }) }),
    // The log has no bytes: what `toModelOutput` makes of its data is another text.
    open: tool({
      inputSchema: z.object({}),
      execute: () => ({ bytes: Buffer.from('abc') }),
      toModelOutput: ({ output }) => ({ type: 'text', value: `${output.bytes.length} bytes` }),
    }),
  }
  const calls = ['read', 'build', 'open'].map((name) => ({
    id: name,
    tool: name,
    input: name === 'read' ? { path: 'a.ts' } : {},
  }))
  const step = async () => {
    const catalog = await createCatalog({ tools: toolsFromAiSdk(counting) })
    const workspace = await VirtualWorkspace.open({ catalog, log, session: 's' })
    const model = scriptedModel([calls])
    const agent = new ToolLoopAgent({ model, ...forAiSdk(workspace), stopWhen: isStepCount(1) })
    const { toolResults, responseMessages } = await agent.generate({ prompt: 'Read it.' })
    await workspace.close()
    const outputs = Object.fromEntries(
      toolResults.map(({ toolName, output }) => [toolName, output]),
    )
    return { outputs, read: responseMessages.at(-1) }
  }
  const first = await step()
  const again = await step()
  expect(runs).toBe(1)
  expect(again.read).toEqual(first.read)
  const { open: bytes, ...outputs } = again.outputs
  expect(outputs).toEqual({ read: { path: 'a.ts', lines: ['run 1'] }, build: { done: 2 } })
  expect(bytes).toMatchObject({ ok: true, content: [{ type: 'text', text: '3 bytes' }] })
})
