import type { EmbeddingModel, embedMany } from 'ai'
import { checkOptions, type OptionsOf } from '../../../entries/kit.ts'
import type { Embedder } from '../../../entries/search.ts'
import {
  type ByPurpose,
  createEmbeddingRequests,
  EMBEDDER_OPTIONS,
  type EmbedderOptions,
  modelName,
  prefixed,
  timeoutOf,
} from './create-embedding-requests.ts'

type EmbedManyRequest = Parameters<typeof embedMany>[0]

export interface AiSdkEmbedderOptions extends EmbedderOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** Options of the provider, for documents and for queries. */
  readonly providerOptions?: ByPurpose<NonNullable<EmbedManyRequest['providerOptions']>>
}

const OPTIONS: OptionsOf<AiSdkEmbedderOptions> = {
  ...EMBEDDER_OPTIONS,
  headers: 'object',
  providerOptions: { query: 'object', document: 'object' },
}

/** Number of concurrent requests, where the model accepts several. */
const PARALLEL = 4

/**
 * Makes an embedder for `createVectorIndex` from an embedding model of the AI SDK, of any provider.
 *
 *     const embedder = embedderFromAiSdk(openai.embeddingModel('text-embedding-3-small'))
 *
 * Retries, rate limits and time limits are handled here, not by the SDK: see `timeoutMs`.
 */
export function embedderFromAiSdk(
  model: EmbeddingModel,
  options: AiSdkEmbedderOptions = {},
): Embedder {
  checkOptions(options, OPTIONS)
  const { dimensions, headers, providerOptions } = options
  const plain = typeof model === 'string' ? model : `${model.provider}/${model.modelId}`
  const name = modelName(plain, options, providerOptions?.document)
  const requests = createEmbeddingRequests(name)
  return {
    model: name,
    ...(dimensions !== undefined && { dimensions }),
    async embed(texts, { purpose, signal }) {
      const { embedMany: embed } = await import('ai')
      const ofPurpose = providerOptions?.[purpose]
      const { embeddings } = await requests.run(
        (abortSignal) =>
          embed({
            model,
            values: prefixed(texts, options, purpose),
            maxRetries: 0,
            maxParallelCalls: PARALLEL,
            abortSignal,
            ...(dimensions !== undefined && { dimensions }),
            ...(headers && { headers }),
            ...(ofPurpose && { providerOptions: ofPurpose }),
          }),
        { timeoutMs: timeoutOf(options, purpose), signal },
      )
      return embeddings.map((numbers) => Float32Array.from(numbers))
    },
  }
}
