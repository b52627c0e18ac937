import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import { simulateReadableStream } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'

/** The output of a scripted model at one step: a text, or calls. */
export type Said =
  | string
  | readonly {
      readonly id: string
      readonly tool: string
      readonly input: unknown
      /** The arguments as the model wrote them, where that is no JSON of `input`. */
      readonly text?: string
    }[]

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

/** A model that says these things one after the other, streamed or not, and records its requests. */
export function scriptedModel(
  said: readonly Said[],
  provider = 'mock',
  modelId = 'mock-model-id',
): MockLanguageModelV4 {
  let at = 0
  const next = () => {
    const content = contentOf(said[at] ?? '(the script is over)')
    at += 1
    const calls = content.some(({ type }) => type === 'tool-call')
    const finishReason = {
      unified: calls ? ('tool-calls' as const) : ('stop' as const),
      raw: undefined,
    }
    return { content, finishReason, usage, warnings: [] }
  }
  return new MockLanguageModelV4({
    provider,
    modelId,
    doGenerate: async () => next(),
    doStream: async () => {
      const { content, finishReason } = next()
      return {
        stream: simulateReadableStream<LanguageModelV4StreamPart>({
          chunks: [
            { type: 'stream-start', warnings: [] },
            ...content.flatMap(streamed),
            { type: 'finish', finishReason, usage },
          ],
          chunkDelayInMs: null,
          initialDelayInMs: null,
        }),
      }
    },
  })
}

function streamed(part: LanguageModelV4Content, index: number): LanguageModelV4StreamPart[] {
  const id = `${index}`
  if (part.type === 'tool-call') return [part]
  if (part.type !== 'text') return []
  return [
    { type: 'text-start', id },
    { type: 'text-delta', id, delta: part.text },
    { type: 'text-end', id },
  ]
}

function contentOf(said: Said): LanguageModelV4Content[] {
  if (typeof said === 'string') return [{ type: 'text', text: said }]
  return said.map(({ id, tool, input, text }) => ({
    type: 'tool-call',
    toolCallId: id,
    toolName: tool,
    input: text ?? JSON.stringify(input),
  }))
}

/** The requests a model got, in whichever way. */
export function requestsOf(model: MockLanguageModelV4): readonly LanguageModelV4CallOptions[] {
  return [...model.doGenerateCalls, ...model.doStreamCalls]
}

/** A request for people: the names of its tools, then its messages. */
export function requestText({ tools, prompt }: LanguageModelV4CallOptions): string {
  const names = (tools ?? []).map(({ name }) => name).join(' ')
  return [`tools: ${names}`, ...prompt.map(messageText)].join('\n')
}

/** Requests for people, the second and following without what they have of the one before. */
export function requestsText(model: MockLanguageModelV4): string {
  const requests = requestsOf(model)
  return requests
    .map((request, index) => {
      const before = requests[index - 1]?.prompt ?? []
      const kept = before.filter(
        (message, at) => JSON.stringify(message) === JSON.stringify(request.prompt[at]),
      ).length
      const rest = { ...request, prompt: request.prompt.slice(kept) }
      const whole = kept === before.length ? 'all' : `${kept} of ${before.length}`
      const told = index === 0 ? '' : ` (${whole} messages of the request before, then)`
      return `--- request ${index + 1}${told}\n${requestText(rest)}`
    })
    .join('\n')
}

function messageText({ role, content }: LanguageModelV4CallOptions['prompt'][number]): string {
  if (typeof content === 'string') return `${role}: ${content}`
  return content
    .map((part) => {
      switch (part.type) {
        case 'text':
          return `${role}: ${part.text}`
        case 'tool-call':
          return `${role} calls ${part.toolCallId}: ${part.toolName} ${JSON.stringify(part.input)}`
        case 'tool-result':
          return `${role} answers ${part.toolCallId}: ${part.output.type} ${
            'value' in part.output
              ? JSON.stringify(part.output.value)
              : JSON.stringify(part.output.reason)
          }`
        default:
          return `${role}: (${part.type})`
      }
    })
    .join('\n')
}
