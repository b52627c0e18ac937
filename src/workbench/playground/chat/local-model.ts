import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { ModelMessage } from 'ai'
import type { ChatModel } from './chat-event.ts'
import type { ServedAnswer } from '../../project/scenarios/scripted-server.ts'

/** Tokens are counted by the workspace. */
const USAGE = {
  inputTokens: {
    total: undefined,
    noCache: undefined,
    cacheRead: undefined,
    cacheWrite: undefined,
  },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
}

/**
 * A model of this process whose answers follow from the messages so far: the same conversation has the same answers.
 *
 * @param messages the stored messages of the conversation
 */
export function localModel(
  name: string,
  messages: () => readonly ModelMessage[],
  answer: () => ServedAnswer,
): Pick<ChatModel, 'model' | 'name' | 'server' | 'context'> {
  const parts = (): LanguageModelV4StreamPart[] => {
    const { text, calls } = answer()
    const lines = text?.split('\n').map((line, index) => (index === 0 ? line : `\n${line}`)) ?? []
    const unified = calls.length > 0 ? ('tool-calls' as const) : ('stop' as const)
    return [
      { type: 'stream-start', warnings: [] },
      ...(lines.length > 0 ? [{ type: 'text-start' as const, id: '0' }] : []),
      ...lines.map((delta) => ({ type: 'text-delta' as const, id: '0', delta })),
      ...(lines.length > 0 ? [{ type: 'text-end' as const, id: '0' }] : []),
      // The ids are the same when a step is made again.
      ...calls.map(({ name: toolName, input }, index) => ({
        type: 'tool-call' as const,
        toolCallId: `local_${messages().length}_${index}`,
        toolName,
        input: JSON.stringify(input),
      })),
      { type: 'finish', finishReason: { unified, raw: undefined }, usage: USAGE },
    ]
  }
  const model: LanguageModelV4 = {
    specificationVersion: 'v4',
    provider: 'loadout.local',
    modelId: name,
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('This model only streams.')),
    doStream: async () => ({ stream: ReadableStream.from(parts()) }),
  }
  return { model, name, server: null, context: null }
}
