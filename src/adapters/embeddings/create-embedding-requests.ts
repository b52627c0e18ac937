import { setTimeout as sleep } from 'node:timers/promises'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { requestFault } from './request-fault.ts'

interface RequestLimits {
  /** For all attempts together, the waits between them included. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/** Runs the requests to one model. */
export interface EmbeddingRequests {
  /**
   * Try until it works, the time is up, or trying again makes no sense.
   *
   * @throws WorkspaceError `EMBEDDINGS_FAILED`, `EMBEDDINGS_LIMITED` or `EMBEDDINGS_LATE`; what
   * `signal` gives as its reason when it is aborted
   */
  run<T>(attempt: (signal: AbortSignal) => Promise<T>, limits: RequestLimits): Promise<T>
}

const MOST_ATTEMPTS = 3
/** Milliseconds before the second attempt; twice as many before the next. */
const FIRST_WAIT = 200
/** A server that wants longer to be left alone is asked again after this long nevertheless. */
const LONGEST_LIMIT = 60_000

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
        return late.aborted ? tookTooLong(model, timeoutMs) : broken(model, error)
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
          const wait = retryAfterMs ?? FIRST_WAIT * 2 ** (attempts - 1)
          const until = performance.now() + Math.min(wait, LONGEST_LIMIT)
          if (retryAfterMs !== null) limitedUntil = until
          if (retryAfterMs !== null && until > deadline) throw limited()
          if (attempts === MOST_ATTEMPTS || until > deadline) throw failed(error)
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

function tookTooLong(model: string, timeoutMs: number): WorkspaceError {
  return new WorkspaceError(
    'EMBEDDINGS_LATE',
    `The model "${model}" gave no answer within ${timeoutMs} ms.`,
    { facts: { model, timeoutMs }, hint: 'Give it longer with timeoutMs, or use a nearer model.' },
  )
}

function broken(model: string, error: unknown): WorkspaceError {
  const { message } = requestFault(error)
  return new WorkspaceError('EMBEDDINGS_FAILED', `The model "${model}" failed: ${message}`, {
    facts: { model },
    hint: 'Look at the provider, its key and the name of the model.',
    cause: error,
  })
}
