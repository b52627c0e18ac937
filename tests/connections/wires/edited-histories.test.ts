import type { BetaMessageParam } from '@anthropic-ai/sdk/resources/beta/messages/messages'
import type { ModelMessage, ToolModelMessage } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import type { VirtualWorkspace } from 'loadout'
import { forAiSdk } from 'loadout/ai-sdk'
import { forAnthropic } from 'loadout/anthropic'
import { forOpenAI } from 'loadout/openai'
import type { ResponseInputItem } from 'openai/resources/responses/responses'
import { expect, test } from 'vitest'
import { aWorkspace } from '../../workspace/a-workspace.ts'

/** Returns the messages of the next request of an agent on the AI SDK. */
async function sdkMessages(workspace: VirtualWorkspace, provider: string) {
  const { prepareStep } = forAiSdk(workspace)
  const model = new MockLanguageModelV4({ provider })
  return async (messages: readonly ModelMessage[]) => {
    const step = { stepNumber: 0, model, messages, initialInstructions: undefined }
    const sent = await prepareStep(step as unknown as Parameters<typeof prepareStep>[0])
    return JSON.stringify(sent?.messages)
  }
}

test('a result that the host replaces in its message is not sent to Anthropic again', async () => {
  const workspace = await aWorkspace({})
  const anthropic = forAnthropic(workspace, { model: 'claude-opus-4-8' })
  const result = { type: 'tool_result' as const, tool_use_id: 'c1', content: 'a secret' }
  const results = [result]
  const messages: BetaMessageParam[] = [
    { role: 'user', content: 'Look.' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'look', input: {} }] },
    { role: 'user', content: results },
  ]
  expect(JSON.stringify(await anthropic.next(messages))).toContain('a secret')
  results[0] = { ...result, content: '[removed]' }
  const request = JSON.stringify(await anthropic.next(messages))
  expect(request).not.toContain('a secret')
  expect(request).toContain('[removed]')
  expect(workspace.state.cost?.changed).toMatchObject({ segment: 'conversation' })
})

test('a file that the host replaces in its result is not sent in a message of the user', async () => {
  const request = await sdkMessages(await aWorkspace({}), 'openai.chat')
  const data = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0])
  const file = { type: 'data' as const, data: data.toString('base64') }
  const output = {
    type: 'content' as const,
    value: [{ type: 'file' as const, mediaType: 'image/png', data: file }],
  }
  const call = { toolCallId: 'c1', toolName: 'draw' }
  const results: ToolModelMessage = {
    role: 'tool',
    content: [{ type: 'tool-result', ...call, output }],
  }
  const messages: ModelMessage[] = [
    { role: 'user', content: 'Draw.' },
    { role: 'assistant', content: [{ type: 'tool-call', ...call, input: {} }] },
    results,
  ]
  expect(await request(messages)).toContain(file.data)
  results.content[0] = { type: 'tool-result', ...call, output: { type: 'text', value: 'Gone.' } }
  expect(await request(messages)).not.toContain(file.data)
})

test('a history is counted as it is sent, also when another adapter of the workspace read it before', async () => {
  const history = (): ResponseInputItem[] => [
    { role: 'user', content: 'Hello.' },
    { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'A greeting.' }] },
    { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [] },
    { role: 'user', content: 'And now?' },
  ]
  const tokens = async (wasRead: boolean) => {
    const workspace = await aWorkspace({})
    const input = history()
    if (wasRead) await forOpenAI(workspace).next(input)
    await forOpenAI(workspace, { store: false }).next(input)
    return workspace.state.cost?.messages
  }
  expect(await tokens(true)).toBe(await tokens(false))
})
