import { setTimeout as sleep } from 'node:timers/promises'
import { contentHash } from '../../kernel/content-hash.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { EmbeddingPurpose } from '../../search/vectors/embedder.ts'

/** A value for documents and one for queries; models that part them want both. */
export type ByPurpose<T> = Readonly<Partial<Record<EmbeddingPurpose, T>>>

/** What holds for every embedding model, wherever it runs. */
export interface EmbedderOptions {
  /** What embeddings are cached under; the provider's and the model's name when absent. */
  readonly name?: string
  /** Numbers in a vector, for models that can be asked for fewer. */
  readonly dimensions?: number
  /** What goes before each text: `{ query: 'query: ', document: 'passage: ' }` for models of the E5 family. */
  readonly prefix?: ByPurpose<string>
  /**
   * Milliseconds that a request may take with all its retries, waiting for a rate limit included:
   * 2,000 for a query, because somebody waits for it, and 60,000 for documents.
   */
  readonly timeoutMs?: ByPurpose<number>
}

const TIMEOUTS = { query: 2_000, document: 60_000 } as const

export function timeoutOf({ timeoutMs }: EmbedderOptions, purpose: EmbeddingPurpose): number {
  return timeoutMs?.[purpose] ?? TIMEOUTS[purpose]
}

/** Texts as the model wants them. */
export function prefixed(
  texts: readonly string[],
  { prefix }: EmbedderOptions,
  purpose: EmbeddingPurpose,
): string[] {
  const before = prefix?.[purpose] ?? ''
  return texts.map((text) => before + text)
}

/** The name embeddings are cached under: with a digest of the settings that change the vectors. */
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

interface RequestLimits {
  /** For all attempts together, the waits between them included. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/** Runs the requests to one model. */
interface EmbeddingRequests {
  /**
   * Try until it works, the time is up, or trying again makes no sense.
   *
   * @throws WorkspaceError `EMBEDDINGS_FAILED`, `EMBEDDINGS_LIMITED` or `EMBEDDINGS_LATE`; what
   * `signal` gives as its reason when it is aborted
   */
  run<T>(attempt: (signal: AbortSignal) => Promise<T>, limits: RequestLimits): Promise<T>
}

const MAX_ATTEMPTS = 3

/** Milliseconds before the second attempt; twice as many before the next. */
const FIRST_BACKOFF_MS = 200

/** A server that wants longer to be left alone is asked again after this long nevertheless. */
const MAX_RATE_LIMIT_MS = 60_000

/**
 * A rate limit is heeded by all requests: while it lasts, those that cannot wait so long fail at
 * once and without a request.
 */
export function createEmbeddingRequests(model: string): EmbeddingRequests {
  let limitedUntil = 0
  const limited = (): WorkspaceError => {
    const seconds = Math.ceil((limitedUntil - performance.now()) / 1_000)
    return new WorkspaceError(
      'EMBEDDINGS_LIMITED',
      `The model "${model}" is rate limited for another ${seconds} s.`,
      { facts: { model, seconds }, hint: 'Ask again later, or raise the limit at the provider.' },
    )
  }
  return {
    async run(attempt, { timeoutMs, signal }) {
      const deadline = performance.now() + timeoutMs
      const late = AbortSignal.timeout(timeoutMs)
      const either = signal ? AbortSignal.any([signal, late]) : late
      const failed = (error: unknown): unknown => {
        if (signal?.aborted) return signal.reason
        return late.aborted ? timedOut(model, timeoutMs) : requestFailed(model, error)
      }
      for (let attempts = 1; ; attempts += 1) {
        const now = performance.now()
        if (limitedUntil > deadline) throw limited()
        try {
          if (limitedUntil > now) await sleep(limitedUntil - now, undefined, { signal: either })
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
            await sleep(wait, undefined, { signal: either }).catch((reason: unknown) => {
              throw failed(reason)
            })
          }
        }
      }
    },
  }
}

/** Also ends when what is run does not heed its signal. */
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

function timedOut(model: string, timeoutMs: number): WorkspaceError {
  return new WorkspaceError(
    'EMBEDDINGS_LATE',
    `The model "${model}" gave no answer within ${timeoutMs} ms.`,
    { facts: { model, timeoutMs }, hint: 'Give it longer with timeoutMs, or use a nearer model.' },
  )
}

function requestFailed(model: string, error: unknown): WorkspaceError {
  const { message } = requestFault(error)
  return new WorkspaceError('EMBEDDINGS_FAILED', `The model "${model}" failed: ${message}`, {
    facts: { model },
    hint: 'Look at the provider, its key and the name of the model.',
    cause: error,
  })
}

/** What went wrong with a request, as far as whoever repeats it needs to know. */
interface RequestFault {
  readonly message: string
  readonly isRetryable: boolean
  /** How long the server asks to be left alone; null when it does not say. */
  readonly retryAfterMs: number | null
}

/** Characters of what a server says of itself. */
const MAX_REASON_LENGTH = 200

/**
 * Read an error of the AI SDK (`statusCode`, `isRetryable`, `responseHeaders`), ours, which has the
 * same fields, or any other: that one is final.
 */
function requestFault(error: unknown): RequestFault {
  const message = error instanceof Error ? error.message : String(error)
  const fields: Readonly<Record<string, unknown>> =
    typeof error === 'object' && error !== null ? { ...error } : {}
  const { statusCode, isRetryable, responseHeaders } = fields
  const status = typeof statusCode === 'number' ? `${statusCode} ` : ''
  return {
    message: `${status}${message}`.slice(0, MAX_REASON_LENGTH).toWellFormed(),
    isRetryable: isRetryable === true,
    retryAfterMs: retryAfter(responseHeaders),
  }
}

/** `retry-after-ms`, or `retry-after` in seconds or as a date. */
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
