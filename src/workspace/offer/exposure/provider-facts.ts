import type { RequestSegment, StepCost } from '../../../engine/model/step-cost.ts'
import type { Provider } from '../../../schema/provider-forms/provider-schema.ts'

/** Facts about how a provider reads and prices a request. Prices are factors of its full input price. */
export interface ProviderFacts {
  readonly name: string
  /** The order in which the parts of a request become the prompt. */
  readonly order: readonly RequestSegment[]
  /** The fewest tokens of a prefix that is cached. */
  readonly minimum: number
  /** A cached prefix grows in steps of so many tokens. */
  readonly grain: number
  /** Milliseconds for which it keeps a prefix that no request uses; absent where it promises none. */
  readonly lifetimeMs?: number
  /** The price of a token read from the cache. */
  readonly read: number
  /** The price of a token that is not in the cache yet, and written to it. */
  readonly write: number
  /** True when it keeps marked definitions out of the prompt until the conversation refers to them. */
  readonly defers: boolean
  /** The provider whose rules for the names of tools it has; names are sent unchanged when absent. */
  readonly names?: Provider
  /** The most tools of one request, without those in the conversation; absent where no limit is known. */
  readonly tools?: number
  /** Tokens of the smallest window of its models; 128,000 when absent. */
  readonly window?: number
  /** True when it takes further definitions inside the conversation. */
  readonly adds: boolean
  /** True when it also removes tools there, and replaces a definition by a later one of the same name. */
  readonly removes: boolean
  /**
   * True when changes of tools may be anywhere in the conversation. Elsewhere they come right before a message of the
   * model, or last.
   */
  readonly changesAnywhere?: boolean
  /** The family of models that these facts are about; absent for facts that hold for all of its models. */
  readonly family?: string
  /** Assumptions, and facts that depend on the model. */
  readonly remarks: string
  /** Pages the facts were taken from, in November 2026. */
  readonly sources: readonly string[]
}

/** The providers whose facts are known, and `compatible` for servers with the same protocol. */
export type ProviderName = 'anthropic' | 'openai' | 'google' | 'compatible'

/** A provider by name, with a model after a slash (`openai/gpt-5.4`), or the facts of one. */
export type GivenProvider = ProviderName | `${ProviderName}/${string}` | ProviderFacts

export const PROVIDER_FACTS: Readonly<Record<ProviderName, ProviderFacts>> = {
  anthropic: {
    name: 'anthropic',
    order: ['tools', 'instructions', 'conversation'],
    minimum: 1024,
    grain: 1,
    lifetimeMs: 300_000,
    read: 0.1,
    write: 1.25,
    defers: true,
    names: 'anthropic',
    // Of a catalog with tool search, by the page about that tool; no other limit is documented.
    tools: 10_000,
    window: 200_000,
    adds: false,
    removes: false,
    remarks:
      'The minimum is 4,096 tokens for some models. Writes are those kept for five minutes; an hour costs 2. The cache breakpoints have to be set. Additions and removals are those of Opus since 4.8, Sonnet and Haiku since 5.5, Fable and Mythos since 5.',
    sources: [
      'https://platform.claude.com/docs/en/build-with-claude/prompt-caching',
      'https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-use-with-prompt-caching',
      'https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool',
      'https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages',
      'https://platform.claude.com/docs/en/build-with-claude/context-windows',
    ],
  },
  openai: {
    name: 'openai',
    order: ['tools', 'instructions', 'conversation'],
    minimum: 1024,
    grain: 128,
    lifetimeMs: 300_000,
    read: 0.1,
    write: 1.25,
    names: 'openai',
    tools: 128,
    defers: false,
    adds: false,
    removes: false,
    remarks:
      'Models before GPT-5.6 write for 1, and those before GPT-5 read for 0.25 to 0.5. GPT-5.4 and later take tools inside the conversation in the Responses API. They can defer functions, too, but read the name and description of each from the start, so a deferred function that enters later changes the prompt.',
    sources: [
      'https://developers.openai.com/api/docs/guides/prompt-caching',
      'https://developers.openai.com/api/docs/guides/tools-tool-search',
      'https://developers.openai.com/cookbook/examples/prompt_caching_201',
      'https://learn.microsoft.com/azure/foundry/openai/how-to/prompt-caching',
      'https://github.com/openai/openai-openapi/pull/76',
      'https://openai.com/index/introducing-gpt-5-for-developers/',
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
    tools: 512,
    window: 1_000_000,
    adds: false,
    removes: false,
    remarks:
      'Implicit caching comes without a guarantee. The place of tools is not documented: they are assumed to come first, which promises least. The minimum is 1,024 to 4,096 tokens by model; models before 2.5 read for 0.25.',
    sources: [
      'https://ai.google.dev/gemini-api/docs/caching',
      'https://discuss.ai.google.dev/t/system-instruction-and-implicit-caching-question/108831',
      'https://github.com/google-gemini/gemini-cli/issues/19083',
      'https://ai.google.dev/gemini-api/docs/long-context',
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
    tools: 128,
    adds: false,
    removes: false,
    remarks:
      'An assumption for servers that speak the chat completions of OpenAI: most chat templates write the system text, then the tools. The most tools are those of the protocol; some servers take more. Give facts of your own where they are known.',
    sources: [
      'https://console.groq.com/docs/prompt-caching',
      'https://console.groq.com/docs/api-reference',
      'https://github.com/openai/openai-openapi/pull/76',
    ],
  },
}

/** Facts of families of models that do more than all models of their provider. */
const MODEL_FAMILIES: readonly {
  readonly provider: ProviderName
  readonly models: RegExp
  readonly facts: ProviderFacts
}[] = [
  {
    provider: 'anthropic',
    models:
      /^claude-(?:opus-(?:4-(?:[89]|[1-9]\d)|[5-9])|(?:fable|mythos)-[5-9]|(?:sonnet|haiku)-(?:5-(?:[5-9]|[1-9]\d)|[6-9]))(?!\d)/u,
    facts: {
      ...PROVIDER_FACTS.anthropic,
      adds: true,
      removes: true,
      family: 'claude-opus-4-8 and later models',
    },
  },
  {
    provider: 'openai',
    models: /^gpt-(?:5\.(?:[4-9]|[1-9]\d)|[6-9])(?!\d)/u,
    facts: {
      ...PROVIDER_FACTS.openai,
      window: 272_000,
      adds: true,
      changesAnywhere: true,
      family: 'gpt-5.4 and later',
    },
  },
]

/**
 * Returns the facts of a model. A model of no known family has those that hold for all of its provider's
 * models.
 *
 * @param model the id that a request names, such as `gpt-5.4` or `claude-opus-4-8`
 */
export function factsOfModel(provider: ProviderName, model: string): ProviderFacts {
  const known = MODEL_FAMILIES.find((one) => one.provider === provider && one.models.test(model))
  return known?.facts ?? PROVIDER_FACTS[provider]
}

/** Returns the facts of a family of models by its name; of facts that are not of this file, the same ones. */
export function factsOfFamily(known: ProviderFacts, family: string | undefined): ProviderFacts {
  if (!isKnownProvider(known)) return known
  const found = MODEL_FAMILIES.find(
    (one) => one.provider === known.name && one.facts.family === family,
  )
  return found?.facts ?? PROVIDER_FACTS[known.name]
}

/** Returns the facts of the provider and the model of a step. `known` are those of the session, which may be the host's own. */
export function factsOfCost(
  { provider, family }: Pick<StepCost, 'provider' | 'family'>,
  known: ProviderFacts,
): ProviderFacts {
  const isKnown = provider !== known.name && Object.hasOwn(PROVIDER_FACTS, provider)
  return factsOfFamily(isKnown ? PROVIDER_FACTS[provider as ProviderName] : known, family)
}

/** Returns true for facts of this file, of all models of a provider or of one family. */
export function isKnownProvider(
  facts: ProviderFacts,
): facts is ProviderFacts & { readonly name: ProviderName } {
  const { name } = facts
  if (!Object.hasOwn(PROVIDER_FACTS, name)) return false
  const known = PROVIDER_FACTS[name as ProviderName]
  return facts === known || MODEL_FAMILIES.some((family) => family.facts === facts)
}
