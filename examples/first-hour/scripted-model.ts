import { MockLanguageModelV4 } from 'ai/test'

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

function call(toolName: string, input: object) {
  const what = { toolCallId: toolName, toolName, input: JSON.stringify(input) }
  const finishReason = { unified: 'tool-calls', raw: undefined } as const
  return { content: [{ type: 'tool-call', ...what } as const], finishReason, usage, warnings: [] }
}

function say(text: string) {
  const finishReason = { unified: 'stop', raw: undefined } as const
  return { content: [{ type: 'text', text } as const], finishReason, usage, warnings: [] }
}

export const model = new MockLanguageModelV4({
  doGenerate: [
    call('loadSkill', { skillName: 'purchasing' }),
    call('order_stock', { item: 'lamp', count: 2 }),
    say('Two lamps are on their way.'),
  ],
})
