import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
} from '@ai-sdk/provider'
import type { Call, Conversation, Said } from '../conversations/conversation.ts'

const usage = {
  inputTokens: {
    total: undefined,
    noCache: undefined,
    cacheRead: undefined,
    cacheWrite: undefined,
  },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
} as const

/**
 * A model that says what a conversation has it say, whatever it is sent. Where there is no search, it
 * does not search.
 */
export function scriptedModel({ turns }: Conversation): LanguageModelV4 {
  const said = turns.flatMap(({ says }) => says)
  let at = 0
  return {
    specificationVersion: 'v4',
    provider: 'scripted',
    modelId: 'scripted',
    supportedUrls: {},
    async doGenerate(request: LanguageModelV4CallOptions) {
      while (isSearch(said[at]) && !has(request, 'tool_search')) at += 1
      const next = said[at] ?? '(The script is over.)'
      at += 1
      const isText = typeof next === 'string'
      const content: LanguageModelV4Content[] = isText
        ? [{ type: 'text', text: next }]
        : next.map((call, index) => toolCall(call, `call-${at}-${index + 1}`, request))
      return {
        content,
        finishReason: { unified: isText ? 'stop' : 'tool-calls', raw: undefined },
        usage,
        warnings: [],
      }
    },
    doStream: () => Promise.reject(new Error('This model does not stream.')),
  }
}

/** By its name when the request has the tool, else over the bridge: as a model would. */
function toolCall(
  { tool, input }: Call,
  toolCallId: string,
  request: LanguageModelV4CallOptions,
): LanguageModelV4Content {
  const isThere = has(request, tool)
  return {
    type: 'tool-call',
    toolCallId,
    toolName: isThere ? tool : 'call_tool',
    input: JSON.stringify(isThere ? input : { name: tool, arguments: input }),
  }
}

function isSearch(said: Said | undefined): boolean {
  return typeof said === 'object' && said.every(({ tool }) => tool === 'tool_search')
}

function has({ tools = [] }: LanguageModelV4CallOptions, tool: string): boolean {
  return tools.some(({ name }) => name === tool)
}
