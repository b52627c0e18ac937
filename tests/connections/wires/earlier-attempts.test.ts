import { Anthropic } from '@anthropic-ai/sdk'
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, isStepCount, type ModelMessage } from 'ai'
import {
  createCatalog,
  createMemoryLog,
  defineTool,
  VirtualWorkspace,
  type WorkspaceOptions,
} from 'loadout'
import type { ConversationOptions } from 'loadout/adapter'
import { forAiSdk } from 'loadout/ai-sdk'
import { forAnthropic } from 'loadout/anthropic'
import { forGemini } from 'loadout/gemini'
import { forChatCompletions, forOpenAI } from 'loadout/openai'
import OpenAI from 'openai'
import { expect, onTestFinished, test } from 'vitest'
import type { Answer } from '../../wires/server/answer.ts'
import { geminiClient, toContents } from '../../wires/server/gemini-client.ts'
import { openWireServer } from '../../wires/server/open-wire-server.ts'
import { aSkill, aTool, aWorkspace } from '../../workspace/a-workspace.ts'

type Run = (
  url: string,
  workspace: VirtualWorkspace,
  history: object[],
  options?: Pick<ConversationOptions, 'durable'>,
) => Promise<unknown>

const openai = (url: string) => new OpenAI({ apiKey: 'k', baseURL: `${url}/v1`, maxRetries: 0 })

const RUNS: Readonly<Record<string, Run>> = {
  'OpenAI Responses': (url, workspace, history, options = {}) =>
    forOpenAI(workspace, { model: 'gpt-5.4', ...options }).run(openai(url), {
      input: history as never,
    }),
  'Chat Completions': (url, workspace, history, options = {}) =>
    forChatCompletions(workspace, options).run(openai(url), {
      model: 'gpt-4.1',
      messages: history as never,
    }),
  Anthropic: (url, workspace, history, options = {}) =>
    forAnthropic(workspace, { model: 'claude-opus-4-8', ...options }).run(
      new Anthropic({ apiKey: 'k', baseURL: url, maxRetries: 0 }),
      { max_tokens: 99, messages: history as never },
    ),
  Gemini: (url, workspace, history, options = {}) =>
    forGemini(workspace, { model: 'gemini-3.8-flash', ...options }).run(geminiClient(url), {
      contents: toContents(history),
    }),
  'the AI SDK': (url, workspace, history, options = {}) =>
    generateText({
      model: createOpenAI({ apiKey: 'k', baseURL: `${url}/v1` }).responses('gpt-5.4'),
      ...forAiSdk(workspace, options),
      stopWhen: isStepCount(5),
      messages: history as ModelMessage[],
      maxRetries: 0,
    }),
}

const DOWN: Answer = { status: 503, message: 'killed' }

/** Runs attempts at one turn, each in a process of its own with the history of the beginning. */
async function attempts(
  run: Run,
  answers: readonly Answer[],
  times: number,
  options: Omit<WorkspaceOptions, 'catalog'> = {},
  durable: Pick<ConversationOptions, 'durable'> = {},
) {
  const sent: unknown[] = []
  const send = defineTool({
    name: 'send_mail',
    description: 'Send a mail.',
    category: 'action',
    inputSchema: { type: 'object' },
    execute: (input) => {
      sent.push(input)
      return 'It is on its way.'
    },
  })
  const look = defineTool({
    name: 'look',
    description: 'Look.',
    category: 'retrieval',
    inputSchema: { type: 'object' },
    execute: () => 'a report',
  })
  const catalog = await createCatalog({ tools: [send, look] })
  const log = createMemoryLog()
  const server = await openWireServer({ answers })
  onTestFinished(() => server.close())
  let last: VirtualWorkspace | undefined
  for (let time = 0; time < times; time += 1) {
    last = await VirtualWorkspace.open({ catalog, log, session: 's', ...options })
    const history = [{ role: 'user', content: 'Send the report.' }]
    await run(server.url, last, history, durable).catch(() => undefined)
    await last.close()
  }
  expect(server.violations).toEqual([])
  const bodies = server.requests.map(({ body }) => JSON.stringify(body))
  const turns = (await log.read('s')).filter(({ event }) => event.type === 'turn.begun')
  return { sent, bodies, turns: turns.length }
}

const mail = (id: string): Answer => [{ name: 'send_mail', input: { to: 'ada' }, id }]

const DONE_BEFORE = /Done in earlier attempts[^]*`send_mail` \(ran\)/u

test.each(Object.entries(RUNS))(
  'with %s, the request that is made again names the actions that ran, for the same turn',
  async (_, run) => {
    const look: Answer = [{ name: 'look', input: {}, id: 'look_1' }]
    const answers = [look, mail('call_1'), DOWN, mail('call_2'), 'Sent again.']
    const { sent, bodies, turns } = await attempts(run, answers, 2)
    expect(bodies.map((body) => DONE_BEFORE.test(body))).toEqual([false, false, false, true, true])
    expect(bodies[3]).not.toContain('`look` (ran)')
    expect([sent.length, turns]).toEqual([2, 1])
  },
)

test.each(Object.entries(RUNS))(
  'with %s, the recorded result answers the same action of another attempt, where the host wants that',
  async (_, run) => {
    const other: Answer = [{ name: 'send_mail', input: { to: 'bob' }, id: 'call_4' }]
    const answers = [mail('call_1'), DOWN, mail('call_2'), DOWN, mail('call_3'), other, 'Sent.']
    const { sent, bodies } = await attempts(run, answers, 3, { repeatedActions: 'recorded' })
    expect(sent).toEqual([{ to: 'ada' }, { to: 'bob' }])
    expect(bodies[3]).toContain('This call ran in an earlier attempt at this turn')
    expect(bodies[5]).toContain('It is on its way.')
  },
)

test('an answer that the host saved is used again: its calls have their recorded results', async () => {
  const { workspace, sent } = await aLoop()
  const call = (id: string) =>
    workspace.callTool('send', { to: 'ada' }, { caller: 'model', call: id })
  const first = [{ role: 'user' as const, content: 'Send it.' }]
  const second = [...first, { role: 'assistant' as const, content: 'call', calls: ['c1'] }]
  await workspace.beginStep({ history: first })
  await call('c1')
  await workspace.beginStep({ history: second })
  await call('c2')
  // The process died: the engine makes both steps again, with the answers that it has.
  await workspace.beginStep({ history: first })
  expect(await call('c1')).toMatchObject({ ok: true, meta: { recorded: true } })
  await workspace.beginStep({ history: second })
  expect(await call('c2')).toMatchObject({ ok: true, meta: { recorded: true } })
  expect(sent).toHaveLength(2)
  expect(workspace.state.stepCalls.calls.filter((one) => one.isThrownAway)).toEqual([])
})

test.each([
  { provider: 'openai/gpt-5.4', after: ['tools', 'text'] },
  // It takes changes of tools only right before an answer, or last.
  { provider: 'anthropic/claude-opus-4-8', after: ['text', 'tools'] },
] as const)(
  'a request to $provider that brought tools and is made again has its text where the provider takes it',
  async ({ provider, after }) => {
    const letters = aSkill('letters', { tools: [aTool('write', { category: 'action' })] })
    const options = { provider, exposure: 'conversation' } as const
    const workspace = await aWorkspace(
      { skills: [letters] },
      { metaTools: ['loadSkill'], ...options },
    )
    const first = [{ role: 'user' as const, content: 'Send it.' }]
    await workspace.beginStep({ history: first })
    await workspace.callTool(
      'loadSkill',
      { skillName: 'letters' },
      { caller: 'model', call: 'load' },
    )
    const second = [...first, { role: 'assistant' as const, content: 'load', calls: ['load'] }]
    const { messages } = await workspace.beginStep({ history: second })
    expect(messages.at(-1)).toMatchObject({ kind: 'tools', additions: [{}] })
    await workspace.callTool('write', {}, { caller: 'model', call: 'c1' })
    const { messages: again } = await workspace.beginStep({ history: second })
    expect(again.slice(messages.length - 1).map(({ kind }) => kind)).toEqual(after)
    expect(again.length).toBe(messages.length + 1)
  },
)

test('a new turn with a longer history names nothing', async () => {
  const { workspace } = await aLoop()
  const first = [{ role: 'user' as const, content: 'Send it.' }]
  await workspace.beginStep({ history: first })
  await workspace.callTool('send', {}, { caller: 'model', call: 'c1' })
  await workspace.beginTurn()
  const next = [
    ...first,
    { role: 'assistant' as const, content: 'Done.' },
    { role: 'user' as const, content: 'And?' },
  ]
  const { conversation } = await workspace.beginStep({ history: next })
  expect(conversation.map(({ id }) => id)).not.toContain('earlier-attempts')
})

test('a call of the host, and an action that failed, are not answered from the log', async () => {
  const { workspace, sent } = await aLoop({ repeatedActions: 'recorded' })
  const history = [{ role: 'user' as const, content: 'Send it.' }]
  await workspace.beginStep({ history })
  await workspace.callTool('send', { to: 'nobody' }, { caller: 'model', call: 'c1' })
  await workspace.callTool('send', { to: 'ada' }, { call: 'own' })
  await workspace.beginStep({ history })
  await workspace.callTool('send', { to: 'nobody' }, { caller: 'model', call: 'c2' })
  await workspace.callTool('send', { to: 'ada' }, { caller: 'model', call: 'c3' })
  expect(sent.map(({ to }) => to)).toEqual(['nobody', 'ada', 'nobody', 'ada'])
})

async function aLoop(options: Omit<WorkspaceOptions, 'catalog'> = {}) {
  const sent: { to: string }[] = []
  const send = defineTool({
    name: 'send',
    description: 'Send.',
    category: 'action',
    inputSchema: { type: 'object' },
    execute: (input: { to: string }) => {
      sent.push(input)
      if (input.to === 'nobody') throw new Error('No such address.')
      return 'sent'
    },
  })
  const catalog = await createCatalog({ tools: [send] })
  return { workspace: await VirtualWorkspace.open({ catalog, ...options }), sent }
}

test.each(Object.entries(RUNS))(
  'with %s, an answer that was kept is not asked for again, and its calls get their results',
  async (_, run) => {
    const look: Answer = [{ name: 'look', input: {}, id: 'look_1' }]
    const answers = [look, mail('call_1'), DOWN, DOWN, mail('call_2'), 'Sent.']
    const { sent, bodies, turns } = await attempts(run, answers, 4, {}, { durable: { id: 'a' } })
    // Two attempts that were killed, the one that ends, and one that asks nobody.
    expect(bodies).toHaveLength(6)
    expect([sent.length, turns]).toEqual([2, 1])
    expect(bodies[3]).toBe(bodies[2])
    expect(bodies[4]).toBe(bodies[2])
    expect(DONE_BEFORE.test(bodies.join('\n'))).toBe(false)
  },
)
