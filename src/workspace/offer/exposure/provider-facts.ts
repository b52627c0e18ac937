import type { RequestSegment } from '../../../engine/model/step-cost.ts'
import type { Provider } from '../../../tools/provider-schema/provider-schema.ts'

/** Facts about how a provider reads and prices a request. Prices are factors of its full input price. */
export interface ProviderFacts {
  readonly name: string
  /** The order in which the parts of a request become the prompt. */
  readonly order: readonly RequestSegment[]
  /** The fewest tokens of a prefix that is cached. */
  readonly minimum: number
  /** A cached prefix grows in steps of so many tokens. */
  readonly grain: number
  /** The price of a token read from the cache. */
  readonly read: number
  /** The price of a token that is not in the cache yet, and written to it. */
  readonly write: number
  /** True when it keeps marked definitions out of the prompt until the conversation refers to them. */
  readonly defers: boolean
  /** The provider whose rules for the names of tools it has; names are sent unchanged when absent. */
  readonly names?: Provider
  /** Assumptions, and facts that depend on the model. */
  readonly remarks: string
  /** Pages the facts were taken from, in November 2026. */
  readonly sources: readonly string[]
}

/** The providers whose facts are known, and `compatible` for servers with the same protocol. */
export type ProviderName = 'anthropic' | 'openai' | 'google' | 'compatible'

export const PROVIDER_FACTS: Readonly<Record<ProviderName, ProviderFacts>> = {
  anthropic: {
    name: 'anthropic',
    order: ['tools', 'instructions', 'conversation'],
    minimum: 1024,
    grain: 1,
    read: 0.1,
    write: 1.25,
    defers: true,
    names: 'anthropic',
    remarks:
      'The minimum is 4,096 tokens for some models. Writes are those kept for five minutes; an hour costs 2. The cache breakpoints have to be set.',
    sources: [
      'https://platform.claude.com/docs/en/build-with-claude/prompt-caching',
      'https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-use-with-prompt-caching',
      'https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool',
    ],
  },
  openai: {
    name: 'openai',
    order: ['tools', 'instructions', 'conversation'],
    minimum: 1024,
    grain: 128,
    read: 0.1,
    write: 1.25,
    defers: true,
    names: 'openai',
    remarks:
      'Models before GPT-5.6 write for 1, and those before GPT-5 read for 0.25 to 0.5. Deferral is of the Responses API.',
    sources: [
      'https://developers.openai.com/api/docs/guides/prompt-caching',
      'https://developers.openai.com/cookbook/examples/prompt_caching_201',
      'https://learn.microsoft.com/azure/foundry/openai/how-to/prompt-caching',
    ],
  },
  google: {
    name: 'google',
    order: ['tools', 'instructions', 'conversation'],
    minimum: 2048,
    grain: 1,
    read: 0.1,
    write: 1,
    defers: false,
    names: 'gemini',
    remarks:
      'Implicit caching comes without a guarantee. The place of tools is not documented: they are assumed to come first, which promises least. The minimum is 1,024 to 4,096 tokens by model; models before 2.5 read for 0.25.',
    sources: [
      'https://ai.google.dev/gemini-api/docs/caching',
      'https://discuss.ai.google.dev/t/system-instruction-and-implicit-caching-question/108831',
    ],
  },
  compatible: {
    name: 'compatible',
    order: ['instructions', 'tools', 'conversation'],
    minimum: 1024,
    grain: 1,
    read: 0.5,
    write: 1,
    defers: false,
    names: 'openai',
    remarks:
      'An assumption for servers that speak the chat completions of OpenAI: most chat templates write the system text, then the tools. Give facts of your own where they are known.',
    sources: ['https://console.groq.com/docs/prompt-caching'],
  },
}
