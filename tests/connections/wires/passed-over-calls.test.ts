import { Anthropic } from '@anthropic-ai/sdk'
import { createCatalog, defineTool, VirtualWorkspace } from 'loadout'
import { forAnthropic } from 'loadout/anthropic'
import { forChatCompletions, forOpenAI } from 'loadout/openai'
import OpenAI from 'openai'
import { expect, onTestFinished, test } from 'vitest'
import type { Answer } from '../../wires/server/answer.ts'
import { openWireServer } from '../../wires/server/open-wire-server.ts'

/** Makes a run of a conversation whose history the host keeps. */
type Connect = (url: string, workspace: VirtualWorkspace, history: object[]) => () => Promise<Run>

interface Run {
  readonly status: string
  readonly waiting: readonly { readonly confirmation: string }[]
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
  Anthropic: (url, workspace, history) => {
    const conversation = forAnthropic(workspace, { model: 'claude-opus-4-8' })
    const client = new Anthropic({ apiKey: 'k', baseURL: url, maxRetries: 0 })
    return () => conversation.run(client, { max_tokens: 99, messages: history as never })
  },
}

async function aHost(connect: Connect, answers: readonly Answer[]) {
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
  const workspace = await VirtualWorkspace.open({ catalog })
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
    expect(JSON.stringify(server.requests[1]?.body)).toContain('ABORTED')
    expect(paid).toEqual([])
    await workspace.approve(asked?.confirmation ?? '', { by: 'user' })
    history.push({ role: 'user', content: 'Pay it now.' })
    expect(await run()).toMatchObject({ status: 'done' })
    expect(paid).toEqual([{ bill: 1 }])
    const last = JSON.stringify(server.requests[2]?.body)
    expect([last.includes('ABORTED'), last.includes('Paid.')]).toEqual([false, true])
    expect(server.violations).toEqual([])
  },
)

test.each(Object.entries(CONNECT))(
  'with %s, a user may pass over a call that the client answers',
  async (_, connect) => {
    const answers: Answer[] = [[{ name: 'choose', input: {} }], 'At noon.']
    const { workspace, server, history, run } = await aHost(connect, answers)
    expect(await run()).toMatchObject({ status: 'waiting', client: [{ tool: 'choose' }] })
    expect(await run()).toMatchObject({ status: 'waiting', client: [{ tool: 'choose' }] })
    history.push({ role: 'user', content: 'When is lunch?' })
    expect(await run()).toMatchObject({ status: 'done', client: [] })
    expect(workspace.state.waiting).toEqual([])
    expect(server.violations).toEqual([])
  },
)
