import { Anthropic } from '@anthropic-ai/sdk'
import {
  createCatalog,
  createMemoryLog,
  defineTool,
  VirtualWorkspace,
  type WorkspaceOptions,
} from 'loadout'
import { forAnthropic } from 'loadout/anthropic'
import { forGemini } from 'loadout/gemini'
import { forChatCompletions, forOpenAI } from 'loadout/openai'
import OpenAI from 'openai'
import { expect, onTestFinished, test } from 'vitest'
import type { Answer } from '../../wires/server/answer.ts'
import { geminiClient, toContents } from '../../wires/server/gemini-client.ts'
import { openWireServer } from '../../wires/server/open-wire-server.ts'

/** Makes a run of a conversation whose history the host keeps. */
type Connect = (url: string, workspace: VirtualWorkspace, history: object[]) => () => Promise<Run>

interface Run {
  readonly status: string
  readonly waiting: readonly { readonly confirmation: string; readonly call: string }[]
  readonly client: readonly object[]
}

const openai = (url: string) => new OpenAI({ apiKey: 'k', baseURL: `${url}/v1`, maxRetries: 0 })

const CONNECT: Readonly<Record<string, Connect>> = {
  'OpenAI Responses': (url, workspace, history) => {
    const conversation = forOpenAI(workspace, { model: 'gpt-5.4' })
    return () => conversation.run(openai(url), { input: history as never })
  },
  'Chat Completions': (url, workspace, history) => {
    const conversation = forChatCompletions(workspace)
    return () => conversation.run(openai(url), { model: 'gpt-4.1', messages: history as never })
  },
  Gemini: (url, workspace, history) => {
    const conversation = forGemini(workspace, { model: 'gemini-3.8-flash' })
    return () => conversation.run(geminiClient(url), { contents: toContents(history) })
  },
  Anthropic: (url, workspace, history) => {
    const conversation = forAnthropic(workspace, { model: 'claude-opus-4-8' })
    const client = new Anthropic({ apiKey: 'k', baseURL: url, maxRetries: 0 })
    return () => conversation.run(client, { max_tokens: 99, messages: history as never })
  },
}

async function aHost(
  connect: Connect,
  answers: readonly Answer[],
  options: Omit<WorkspaceOptions, 'catalog'> = {},
) {
  const paid: unknown[] = []
  const pay = defineTool({
    name: 'pay',
    description: 'Pay a bill.',
    requiresConfirmation: true,
    inputSchema: { type: 'object' },
    execute: (input) => {
      paid.push(input)
      return 'Paid.'
    },
  })
  const choose = defineTool({
    name: 'choose',
    description: 'Ask the user.',
    inputSchema: { type: 'object' },
    client: true,
  })
  const catalog = await createCatalog({ tools: [pay, choose] })
  const workspace = await VirtualWorkspace.open({ catalog, ...options })
  const server = await openWireServer({ answers })
  onTestFinished(() => server.close())
  const history: object[] = [{ role: 'user', content: 'Go.' }]
  return { paid, workspace, server, history, run: connect(server.url, workspace, history) }
}

test.each(Object.entries(CONNECT))(
  'with %s, a user may pass over a question, and a later yes makes its call once',
  async (_, connect) => {
    const answers: Answer[] = [[{ name: 'pay', input: { bill: 1 } }], 'At noon.', 'It is paid.']
    const { paid, workspace, server, history, run } = await aHost(connect, answers)
    const [asked] = (await run()).waiting
    history.push({ role: 'user', content: 'Later. When is lunch?' })
    expect(await run()).toMatchObject({ status: 'done', waiting: [] })
    const told = JSON.stringify(server.requests[1]?.body)
    expect(told).toContain('waits for the approval of a person, and has not run')
    expect(told).not.toContain('partialSideEffects')
    expect(paid).toEqual([])
    await workspace.approve(asked?.confirmation ?? '', { by: 'user' })
    history.push({ role: 'user', content: 'Pay it now.' })
    expect(await run()).toMatchObject({ status: 'done' })
    expect(paid).toEqual([{ bill: 1 }])
    const last = JSON.stringify(server.requests[2]?.body)
    expect([last.includes('waits for'), last.includes('Paid.')]).toEqual([false, true])
    expect(server.violations).toEqual([])
  },
)

test.each(Object.entries(CONNECT))(
  'with %s, a user may pass over a call that the client answers',
  async (_, connect) => {
    const answers: Answer[] = [[{ name: 'choose', input: {} }], 'At noon.', 'At six.']
    const { workspace, server, history, run } = await aHost(connect, answers)
    expect(await run()).toMatchObject({ status: 'waiting', client: [{ tool: 'choose' }] })
    expect(await run()).toMatchObject({ status: 'waiting', client: [{ tool: 'choose' }] })
    history.push({ role: 'user', content: 'When is lunch?' })
    expect(await run()).toMatchObject({ status: 'done', client: [] })
    expect(workspace.state.waiting).toEqual([])
    // The same sentence in each later request, so that they keep their bytes.
    history.push({ role: 'user', content: 'And dinner?' })
    await run()
    for (const { body } of server.requests.slice(-2)) {
      expect(JSON.stringify(body)).toContain('The user went on before the client had answered')
    }
    expect(server.violations).toEqual([])
  },
)

test.each(Object.entries(CONNECT))(
  'with %s, the model reads what became of a call without a result, also in another process',
  async (_, connect) => {
    const pay = (bill: number) => ({ name: 'pay', input: { bill }, id: `call_of_bill_${bill}` })
    const answers: Answer[] = [[pay(1), pay(2), pay(3)], 'At noon.', 'At six.']
    const log = createMemoryLog()
    const { paid, workspace, server, history, run } = await aHost(connect, answers, { log })
    const [first, second] = (await run()).waiting
    await workspace.approve(first?.confirmation ?? '', { by: 'user' })
    await workspace.callTool('pay', { bill: 1 }, { caller: 'model', call: first?.call ?? '' })
    await workspace.deny(second?.confirmation ?? '', {
      by: 'user',
      reason: 'Order 7 is in dispute.',
    })
    expect(paid).toEqual([{ bill: 1 }])
    history.push({ role: 'user', content: 'When is lunch?' })
    // The result was lost with the process, and the answers with the turn.
    await workspace.beginTurn()
    const other = await aHost(connect, [], { log, session: workspace.session })
    await connect(server.url, other.workspace, history)()
    const told = JSON.stringify(server.requests[1]?.body)
    expect(told).toContain('Paid.')
    expect(told).toContain('Order 7 is in dispute.')
    expect(told).toContain('waits for the approval of a person')
    expect(told).not.toContain('partialSideEffects')
    expect([...paid, ...other.paid]).toEqual([{ bill: 1 }])
    expect(server.violations).toEqual([])
  },
)
