import * as z from 'zod'
import { WorkspaceError } from '../../../entries/index.ts'
import { checkRecord, type OptionsOf } from '../../../entries/kit.ts'
import type { Embedder } from '../../../entries/search.ts'
import {
  createEmbeddingRequests,
  EMBEDDER_OPTIONS,
  type EmbedderOptions,
  modelName,
  prefixed,
  timeoutOf,
} from './create-embedding-requests.ts'

export interface UrlEmbedderOptions extends EmbedderOptions {
  /** The base URL of the API, such as `http://localhost:11434/v1`. */
  readonly url: string
  readonly model: string
  /** Sent as a bearer token. */
  readonly key?: string
}

const OPTIONS: OptionsOf<UrlEmbedderOptions> = {
  ...EMBEDDER_OPTIONS,
  url: 'text',
  model: 'text',
  key: 'text',
}

const ANSWER = z.object({
  data: z.array(z.object({ index: z.int(), embedding: z.array(z.number()) })),
})

/** Number of texts in one request; local servers accept few. */
const BATCH = 64

/**
 * Makes an embedder from a server with OpenAI's `/embeddings` endpoint, as many local servers have.
 * Needs no other package.
 *
 * @throws WorkspaceError `EMBEDDER_URL_WRONG` when `url` is not a URL
 */
export function embedderFromUrl(options: UrlEmbedderOptions): Embedder {
  checkRecord(options, OPTIONS, 'url', 'model')
  const { url, model, dimensions } = options
  if (!URL.canParse(url)) {
    throw new WorkspaceError('EMBEDDER_URL_WRONG', `"${url}" is not a URL.`, {
      hint: 'Give the base URL of the API, such as http://localhost:11434/v1.',
    })
  }
  const name = modelName(model, options)
  const requests = createEmbeddingRequests(name)
  return {
    model: name,
    ...(dimensions !== undefined && { dimensions }),
    async embed(texts, { purpose, signal }) {
      const vectors: Float32Array[] = []
      for (let at = 0; at < texts.length; at += BATCH) {
        const input = prefixed(texts.slice(at, at + BATCH), options, purpose)
        const limits = { timeoutMs: timeoutOf(options, purpose), signal }
        const body = { model, input, encoding_format: 'float', dimensions }
        const ask = (either: AbortSignal) => post(url, body, options.key, either)
        vectors.push(...(await requests.run(ask, limits)))
      }
      return vectors
    },
  }
}

/** Returns the vectors of the answer, ordered by their `index`. */
async function post(
  url: string,
  body: object,
  key: string | undefined,
  signal: AbortSignal,
): Promise<readonly Float32Array[]> {
  const response = await fetch(`${url.replace(/\/$/, '')}/embeddings`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify(body),
    signal,
  }).catch((error: unknown) => {
    signal.throwIfAborted()
    const { cause } = error instanceof Error ? error : {}
    const why = cause instanceof Error ? cause.message : String(error)
    throw Object.assign(new Error(`no connection to ${new URL(url).host}: ${why}`), {
      isRetryable: true,
    })
  })
  const text = await response.text()
  if (!response.ok) {
    const { status: statusCode, headers } = response
    const isRetryable = statusCode === 408 || statusCode === 429 || statusCode >= 500
    const responseHeaders = Object.fromEntries(headers)
    throw Object.assign(new Error(text), { statusCode, isRetryable, responseHeaders })
  }
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw new Error(`its answer is not JSON: ${text.slice(0, 80)}`, { cause: error })
  }
  const answer = ANSWER.safeParse(json)
  if (!answer.success) throw new Error(`its answer has no embeddings: ${text.slice(0, 80)}`)
  return answer.data.data
    .toSorted((a, b) => a.index - b.index)
    .map(({ embedding }) => Float32Array.from(embedding))
}
