import { anthropic, createAnthropic } from '@ai-sdk/anthropic'
import { type ModelMessage, ToolLoopAgent } from 'ai'
import { createMemoryLog, type VirtualWorkspace } from 'loadout'
import { type AiSdkOptions, forAiSdk } from 'loadout/ai-sdk'
import { expect, onTestFinished, test } from 'vitest'
import type { Answer } from '../../../wires/server/answer.ts'
import { openWireServer, type WireServerOptions } from '../../../wires/server/open-wire-server.ts'
import { openOffice } from './an-office.ts'

/** A model of Anthropic that gives these answers, and a run of an agent with it. */
async function aModel(
  answers: readonly Answer[],
  options: Omit<WireServerOptions, 'answers'> = {},
) {
  const server = await openWireServer({ answers, ...options })
  onTestFinished(() => server.close())
  const model = createAnthropic({ apiKey: 'k', baseURL: `${server.url}/v1` })('claude-opus-4-8')
  const run = (
    workspace: VirtualWorkspace,
    messages: ModelMessage[],
    prepareStep: AiSdkOptions['prepareStep'] = () => undefined,
  ) => {
    const tools = { web_search: anthropic.tools.webSearch_20250305() }
    const settings = forAiSdk(workspace, { tools, prepareStep })
    return new ToolLoopAgent({ model, maxRetries: 0, ...settings }).generate({ messages })
  }
  return { server, run }
}

const SEARCHED = [
  { type: 'server_tool_use', id: 's1', name: 'web_search', input: {}, caller: { type: 'direct' } },
]

const FOUND = [
  { type: 'web_search_tool_result', tool_use_id: 's1', content: [], caller: { type: 'direct' } },
]

const question = (): ModelMessage => ({ role: 'user', content: 'Who wrote it?' })

test('a turn that paused is sent back as the last message, and what changed meanwhile waits', async () => {
  const { server, run } = await aModel([
    { items: SEARCHED, stop: 'pause' },
    { items: FOUND, text: 'Her.' },
    'Yes.',
  ])
  const workspace = await openOffice([], { provider: 'anthropic' })
  const messages = [question()]
  const { steps, text, responseMessages } = await run(workspace, messages, async (step) => {
    if (step.stepNumber === 1) await workspace.activateSkill('pdf')
    return undefined
  })
  expect(steps.map(({ rawFinishReason }) => rawFinishReason)).toEqual(['pause_turn', 'end_turn'])
  expect(text).toBe('Her.')
  messages.push(...responseMessages, { role: 'user', content: 'Sure?' })
  await run(workspace, messages)
  const roles = server.requests.map(({ body }) =>
    (body['messages'] as readonly { role: string }[]).map(({ role }) => role),
  )
  expect(roles[1]?.at(-1)).toBe('assistant')
  expect(roles[2]?.at(-1)).toBe('system')
  expect(server.violations).toEqual([])
})

test('a beta that the model refuses is an error, and the session goes on without it', async () => {
  const refusedBetas = ['inline-tools-2026-09-15', 'mid-conversation-tool-changes-2026-07-01']
  const { run } = await aModel(['Her.'], { refusedBetas })
  const log = createMemoryLog()
  const first = await openOffice([], { provider: 'anthropic', log, session: 's' })
  await first.beginStep({ history: [] })
  await first.activateSkill('pdf')
  await expect(run(first, [question()])).rejects.toMatchObject({ statusCode: 400 })
  await first.close()
  const later = { provider: 'anthropic', log, session: 's', exposure: 'deferred' } as const
  const { text } = await run(await openOffice([], later), [question()])
  expect(text).toBe('Her.')
})

test('reasoning that the host removed is not sent, and the error of the provider reaches the host', async () => {
  const thought = [{ type: 'thinking', thinking: 'Whose book?', signature: 'abc' }]
  const error = { status: 400, message: 'The thinking is missing.' }
  const { server, run } = await aModel([{ items: thought, text: 'Her.' }, error])
  const workspace = await openOffice([], { provider: 'anthropic' })
  const messages = [question()]
  const { responseMessages } = await run(workspace, messages)
  expect(JSON.stringify(responseMessages)).toContain('Whose book?')
  messages.push({ role: 'assistant', content: 'Her.' }, question())
  await expect(run(workspace, messages)).rejects.toMatchObject({ statusCode: 400 })
  expect(JSON.stringify(server.requests[1]?.body)).not.toContain('Whose book?')
})
