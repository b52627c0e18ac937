import { randomUUID } from 'node:crypto'
import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'

/** What a scripted model says at one step: a text, or one call. */
export type Said = string | { readonly tool: string; readonly input: object }

const NONE = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined }

/**
 * A model that says these things in order. It counts its answers in the request, so it needs no memory. As with every
 * provider, the calls of a request that is made again have other ids.
 */
export function scriptedModel(said: readonly Said[]): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'scripted',
    modelId: 'scripted',
    supportedUrls: {},
    async doGenerate({ prompt }: LanguageModelV4CallOptions) {
      const at = prompt.filter(({ role }) => role === 'assistant').length
      const next = said[at] ?? 'I have nothing more to say.'
      const isText = typeof next === 'string'
      return {
        content: [
          isText
            ? { type: 'text', text: next }
            : {
                type: 'tool-call',
                toolCallId: `call-${randomUUID()}`,
                toolName: next.tool,
                input: JSON.stringify(next.input),
              },
        ],
        finishReason: { unified: isText ? 'stop' : 'tool-calls', raw: undefined },
        usage: {
          inputTokens: NONE,
          outputTokens: { total: undefined, text: undefined, reasoning: undefined },
        },
        warnings: [],
      }
    },
    doStream: () => Promise.reject(new Error('This model does not stream.')),
  }
}
