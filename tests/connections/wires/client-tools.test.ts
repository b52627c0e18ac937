import { createCatalog, createMemoryLog, defineTool, VirtualWorkspace } from 'loadout'
import { forAnthropic } from 'loadout/anthropic'
import { forChatCompletions, forOpenAI } from 'loadout/openai'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { WireServer } from '../../wires/server/open-wire-server.ts'
import { openModel as openClaude } from './anthropic/a-model.ts'
import { openModel } from './openai/a-shop.ts'

const ask = defineTool({
  name: 'ask',
  description: 'Ask the user a question.',
  category: 'utility',
  inputSchema: z.object({ question: z.string() }),
  outputSchema: z.object({ answer: z.string() }),
  client: true,
})

const ASK = [{ name: 'ask', id: 'c_ask', input: { question: 'Which order?' } }]

/** A conversation on one wire: runs it, and answers a call as its host does. */
interface Talk {
  readonly server: WireServer
  run(
    workspace: VirtualWorkspace,
  ): Promise<{ readonly status: string; readonly client: readonly object[] }>
  answer(call: string, text: string): void
}

type Answers = Parameters<typeof openModel>[0]

const WIRES: Record<string, (answers: Answers) => Promise<Talk>> = {
  'the Responses API': async (answers) => {
    const { client, server } = await openModel(answers)
    const input: Parameters<ReturnType<typeof forOpenAI>['run']>[1]['input'] = [
      { role: 'user', content: 'Hello.' },
    ]
    return {
      server,
      run: (workspace) => forOpenAI(workspace, { model: 'gpt-5.4' }).run(client, { input }),
      answer: (call_id, output) =>
        void input.push({ type: 'function_call_output', call_id, output }),
    }
  },
  'Chat Completions': async (answers) => {
    const { client, server } = await openModel(answers)
    const messages: Parameters<ReturnType<typeof forChatCompletions>['run']>[1]['messages'] = [
      { role: 'user', content: 'Hello.' },
    ]
    return {
      server,
      run: (workspace) => forChatCompletions(workspace).run(client, { messages, model: 'gpt-5.4' }),
      answer: (tool_call_id, content) =>
        void messages.push({ role: 'tool', tool_call_id, content }),
    }
  },
  'the Messages API': async (answers) => {
    const { client, server } = await openClaude(answers)
    const messages: Parameters<ReturnType<typeof forAnthropic>['run']>[1]['messages'] = [
      { role: 'user', content: 'Hello.' },
    ]
    const params = { model: 'claude-opus-4-8', max_tokens: 4096, messages }
    return {
      server,
      run: (workspace) => forAnthropic(workspace).run(client, params),
      answer: (tool_use_id, content) =>
        void messages.push({
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id, content }],
        }),
    }
  },
}

const ends = async (workspace: VirtualWorkspace) =>
  (await workspace.entries()).flatMap(({ event }) =>
    event.type === 'call.ended' ? [`${event.call} ${event.error ?? 'done'}`] : [],
  )

test.each(Object.keys(WIRES))(
  'on %s, a run ends with the call of a tool that the client answers, and goes on with its answer in another process',
  async (wire) => {
    const talk = await (WIRES[wire] as (answers: Answers) => Promise<Talk>)([ASK, 'Order 7, then.'])
    const log = createMemoryLog()
    const catalog = await createCatalog({ tools: [ask] })
    const provider = wire === 'the Messages API' ? 'anthropic' : 'openai'
    const open = () => VirtualWorkspace.open({ log, session: 's', catalog, provider })
    const here = await open()
    const first = await talk.run(here)
    expect(first).toMatchObject({
      status: 'waiting',
      waiting: [],
      client: [{ call: 'c_ask', tool: 'ask', input: { question: 'Which order?' } }],
    })
    await here.close()
    const there = await open()
    expect(await talk.run(there)).toMatchObject({ status: 'waiting', client: [{ call: 'c_ask' }] })
    expect(talk.server.requests).toHaveLength(1)
    talk.answer('c_ask', '{"answer":"7"}')
    expect(await talk.run(there)).toMatchObject({ status: 'done', client: [] })
    expect(JSON.stringify(talk.server.requests[1]?.body)).toContain('{\\"answer\\":\\"7\\"}')
    expect(talk.server.violations).toEqual([])
    expect(await ends(there)).toEqual(['c_ask done'])
  },
)

test('a direct call starts, and its answer says that it waits', async () => {
  const workspace = await VirtualWorkspace.open({ catalog: await createCatalog({ tools: [ask] }) })
  const response = await workspace.callTool('ask', { question: 'Which?' }, { call: 'c1' })
  expect(response).toMatchObject({ ok: true, data: { status: 'waiting', call: 'c1' } })
  expect(workspace.state.waiting).toMatchObject([{ call: 'c1', tool: 'ask' }])
  expect(await workspace.callTool('ask', { question: 7 })).toMatchObject({
    error: { type: 'VALIDATION' },
  })
})
