import { WorkspaceError } from '../../../entries/index.ts'
import { contentHash, type OptionsOf } from '../../../entries/kit.ts'
import type { EmbeddingPurpose } from '../../../entries/search.ts'

/** A value for documents and one for queries, for models that distinguish them. */
export type ByPurpose<T> = Readonly<Partial<Record<EmbeddingPurpose, T>>>

/** Options of every embedding model, wherever it runs. */
export interface EmbedderOptions {
  /** Name under which embeddings are cached; the provider's and the model's name by default. */
  readonly name?: string
  /** Length of a vector, for models that can give shorter ones. */
  readonly dimensions?: number
  /**
   * Text before each text: `{ query: 'query: ', document: 'passage: ' }` for models of the E5
   * family.
   */
  readonly prefix?: ByPurpose<string>
  /**
   * Time limit of a request in milliseconds, including retries and waiting for a rate limit: 2,000
   * for a query, because a user waits for it, and 60,000 for documents.
   */
  readonly timeoutMs?: ByPurpose<number>
}

export const EMBEDDER_OPTIONS: OptionsOf<EmbedderOptions> = {
  name: 'text',
  dimensions: 'number',
  prefix: { query: 'text', document: 'text' },
  timeoutMs: { query: 'number', document: 'number' },
}

const TIMEOUTS = { query: 2_000, document: 60_000 } as const

export function timeoutOf({ timeoutMs }: EmbedderOptions, purpose: EmbeddingPurpose): number {
  return timeoutMs?.[purpose] ?? TIMEOUTS[purpose]
}

/** Returns the texts with the prefix that the model expects. */
export function prefixed(
  texts: readonly string[],
  { prefix }: EmbedderOptions,
  purpose: EmbeddingPurpose,
): string[] {
  const before = prefix?.[purpose] ?? ''
  return texts.map((text) => before + text)
}

/**
 * Returns the name under which embeddings are cached: with a digest of the settings that change the
 * vectors.
 */
export function modelName(
  model: string,
  { name = model, dimensions, prefix }: EmbedderOptions,
  more?: unknown,
): string {
  const before = prefix?.document ?? ''
  const isPlain = dimensions === undefined && before === '' && more === undefined
  if (isPlain) return name
  const settings = { dimensions: dimensions ?? null, before, more: more ?? null }
  return `${name} ${contentHash(settings).slice(7, 15)}`
}

/** Runs the requests to one model. */
interface EmbeddingRequests {
  /**
   * Retries until the request succeeds, the time is up, or a retry cannot help.
   *
   * @param limits `timeoutMs`: the time limit of all attempts together, including the waits between them
   * @throws WorkspaceError `EMBEDDINGS_FAILED`, `EMBEDDINGS_LIMITED` or `EMBEDDINGS_LATE`; the
   * reason of `signal` when it is aborted
   */
  run<T>(
    attempt: (signal: AbortSignal) => Promise<T>,
    limits: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
  ): Promise<T>
}

const MAX_ATTEMPTS = 3

/** Milliseconds before the second attempt, doubled for each further one. */
const FIRST_BACKOFF_MS = 200

/** Longest rate limit that is respected: after this long the server is asked again. */
const MAX_RATE_LIMIT_MS = 60_000

/**
 * Creates the requests to one model.
 *
 * A rate limit applies to all of them: while it lasts, a request that cannot wait for its end fails
 * at once without being sent.
 */
export function createEmbeddingRequests(model: string): EmbeddingRequests {
  let limitedUntil = 0
  const limited = (): WorkspaceError => {
    const seconds = Math.ceil((limitedUntil - performance.now()) / 1_000)
    return new WorkspaceError(
      'EMBEDDINGS_LIMITED',
      `The model "${model}" is rate limited for another ${seconds} s.`,
      { facts: { model, seconds }, hint: 'Try again later, or raise the limit at the provider.' },
    )
  }
  return {
    async run(attempt, { timeoutMs, signal }) {
      const deadline = performance.now() + timeoutMs
      const late = AbortSignal.timeout(timeoutMs)
      const either = signal ? AbortSignal.any([signal, late]) : late
      const failed = (error: unknown): unknown => {
        if (signal?.aborted) return signal.reason
        if (!late.aborted) return requestFailed(model, error)
        const message = `The model "${model}" gave no answer within ${timeoutMs} ms.`
        return new WorkspaceError('EMBEDDINGS_LATE', message, {
          facts: { model, timeoutMs },
          hint: 'Raise timeoutMs, or use a faster model.',
        })
      }
      for (let attempts = 1; ; attempts += 1) {
        const now = performance.now()
        if (limitedUntil > deadline) throw limited()
        try {
          if (limitedUntil > now) await sleep(limitedUntil - now, either)
          return await untilAborted(attempt, either)
        } catch (error) {
          const { isRetryable, retryAfterMs } = requestFault(error)
          if (either.aborted || !isRetryable) throw failed(error)
          const wait = retryAfterMs ?? FIRST_BACKOFF_MS * 2 ** (attempts - 1)
          const until = performance.now() + Math.min(wait, MAX_RATE_LIMIT_MS)
          if (retryAfterMs !== null) limitedUntil = until
          if (retryAfterMs !== null && until > deadline) throw limited()
          if (attempts === MAX_ATTEMPTS || until > deadline) throw failed(error)
          if (retryAfterMs === null) {
            await sleep(wait, either).catch((reason: unknown) => {
              throw failed(reason)
            })
          }
        }
      }
    },
  }
}

/** Waits for some milliseconds. Rejects when the signal is aborted. */
async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await untilAborted(() => promise, signal).finally(() => clearTimeout(timer))
}

/** Runs an attempt, and rejects on abort even if the attempt ignores its signal. */
async function untilAborted<T>(
  attempt: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  signal.throwIfAborted()
  const work = attempt(signal)
  const ended = new AbortController()
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { signal: ended.signal })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    ended.abort()
    work.catch(() => {})
  }
}

function requestFailed(model: string, error: unknown): WorkspaceError {
  const { message } = requestFault(error)
  return new WorkspaceError('EMBEDDINGS_FAILED', `The model "${model}" failed: ${message}`, {
    facts: { model },
    hint: 'Check the provider, its key and the name of the model.',
    cause: error,
  })
}

/** Maximum length of a server's message. */
const MAX_REASON_LENGTH = 200

/**
 * Reads an error of the AI SDK (`statusCode`, `isRetryable`, `responseHeaders`), or one of ours,
 * which has the same fields. Any other error is final.
 */
function requestFault(error: unknown) {
  const message = error instanceof Error ? error.message : String(error)
  const fields: Readonly<Record<string, unknown>> =
    typeof error === 'object' && error !== null ? { ...error } : {}
  const { statusCode, isRetryable, responseHeaders } = fields
  const status = typeof statusCode === 'number' ? `${statusCode} ` : ''
  return {
    message: `${status}${message}`.slice(0, MAX_REASON_LENGTH).toWellFormed(),
    isRetryable: isRetryable === true,
    /** Milliseconds to wait, as the server asks; null when it does not say. */
    retryAfterMs: retryAfter(responseHeaders),
  }
}

/** Reads `retry-after-ms`, or `retry-after` in seconds or as a date. */
function retryAfter(headers: unknown): number | null {
  if (typeof headers !== 'object' || headers === null) return null
  const given = new Map<string, unknown>(Object.entries(headers))
  const exact = Number(given.get('retry-after-ms') ?? Number.NaN)
  if (Number.isFinite(exact) && exact >= 0) return exact
  const text = given.get('retry-after')
  if (typeof text !== 'string' || text.trim() === '') return null
  const seconds = Number(text)
  const wait = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(text) - Date.now()
  return Number.isFinite(wait) ? Math.max(0, wait) : null
}
