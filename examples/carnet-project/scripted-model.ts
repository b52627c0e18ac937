import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'

/** What a scripted model says at one step: a text, or one call. */
export type Said = string | { readonly tool: string; readonly input: object }

/** A model that says these things in order and tells what each request offered it. */
export function scriptedModel(
  said: readonly Said[],
  tell: (tools: readonly string[]) => void,
): LanguageModelV4 {
  let at = 0
  return {
    specificationVersion: 'v4',
    provider: 'scripted',
    modelId: 'scripted',
    supportedUrls: {},
    async doGenerate({ tools = [] }: LanguageModelV4CallOptions) {
      tell(tools.map(({ name }) => name))
      const next = said[at] ?? 'I have nothing more to say.'
      at += 1
      const isText = typeof next === 'string'
      return {
        content: [
          isText
            ? { type: 'text', text: next }
            : {
                type: 'tool-call',
                toolCallId: `call-${at}`,
                toolName: next.tool,
                input: JSON.stringify(next.input),
              },
        ],
        finishReason: { unified: isText ? 'stop' : 'tool-calls', raw: undefined },
        usage: {
          inputTokens: {
            total: undefined,
            noCache: undefined,
            cacheRead: undefined,
            cacheWrite: undefined,
          },
          outputTokens: { total: undefined, text: undefined, reasoning: undefined },
        },
        warnings: [],
      }
    },
    doStream: () => Promise.reject(new Error('This model does not stream.')),
  }
}
