import type { LanguageModelV4CallOptions, LanguageModelV4GenerateResult } from '@ai-sdk/provider'
import type { LanguageModel } from 'ai'
import type { VirtualWorkspace } from '../../../entries/index.ts'
import { isObject } from '../../../entries/kit.ts'

type Report = Parameters<VirtualWorkspace['figures']['report']>[0]

/** The members of a report that only the sender of the request knows. */
type SentAs = Pick<Report, 'step' | 'host' | 'wrote'>

/** The provider's account at the end of an answer, streamed or not. */
export type Finished = Pick<LanguageModelV4GenerateResult, 'usage' | 'providerMetadata'>

/** Records the tokens that a provider reports at the end of an answer. */
export async function reportUsage(
  workspace: VirtualWorkspace,
  sent: SentAs,
  { usage, providerMetadata }: Finished,
  params: LanguageModelV4CallOptions,
  model: LanguageModel,
): Promise<void> {
  const { inputTokens, outputTokens, raw } = usage
  const { total: input, cacheRead: cached, cacheWrite: written } = inputTokens
  if (input === undefined) return
  const { reasoning } = outputTokens
  const created = raw?.['cache_creation']
  const forAnHour = isObject(created) ? created['ephemeral_1h_input_tokens'] : 0
  const said = providerMetadata?.['openai']?.['promptCacheDiagnostics']
  const { type, reason = type, cache_missed_tokens: missed } = isObject(said) ? said : {}
  await workspace.figures.report({
    ...sent,
    model: typeof model === 'string' ? model : model.modelId,
    usage: {
      input,
      ...(cached !== undefined && { cached }),
      ...(written !== undefined && { written }),
      output: outputTokens.total ?? 0,
      ...(reasoning !== undefined && { reasoning }),
    },
    ...(typeof reason === 'string' && {
      diagnosis: { reason, ...(typeof missed === 'number' && { missed }) },
    }),
    ...(typeof forAnHour === 'number' && forAnHour > 0 && { lifetimeMs: 3_600_000 }),
    ...(isOfAnthropic(model) && isUnmarked(params) && { unmarked: true }),
  })
}

/** Returns true for a model whose provider only caches what is marked. */
function isOfAnthropic(model: LanguageModel): boolean {
  return typeof model !== 'string' && model.provider.startsWith('anthropic')
}

/** Returns true for a request without a mark for a cache. */
function isUnmarked({ prompt, tools = [], providerOptions }: LanguageModelV4CallOptions): boolean {
  const isMarked = (one: object) => {
    const { providerOptions: options } = one as { readonly providerOptions?: unknown }
    const anthropic = isObject(options) ? options['anthropic'] : undefined
    return isObject(anthropic) && ('cacheControl' in anthropic || 'cache_control' in anthropic)
  }
  const parts = prompt.flatMap((message): readonly object[] =>
    typeof message.content === 'string' ? [message] : [message, ...message.content],
  )
  return !isMarked({ providerOptions }) && ![...parts, ...tools].some(isMarked)
}
