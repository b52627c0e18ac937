import { WorkspaceError } from '../../kernel/workspace-error.ts'

/**
 * Runs work with an AbortSignal and a time limit. Rejects with `TIME_LIMIT` at the limit, and with
 * the reason of `given` when that is aborted, even when the work does not react to the abort; its later
 * result is ignored. Leaves no timer and no listener behind.
 *
 * @param given ends the work early; when it is aborted already, the work is started and not awaited
 */
export async function withTimeLimit<T>(
  what: string,
  timeoutMs: number,
  work: (signal: AbortSignal) => T | Promise<T>,
  given?: AbortSignal,
): Promise<T> {
  const controller = new AbortController()
  const { promise: end, reject } = Promise.withResolvers<never>()
  const endWith = (reason: unknown) => {
    controller.abort(reason)
    reject(reason)
  }
  const onTime = () => endWith(timeLimitReached(what, timeoutMs))
  const onAbort = () => endWith(given?.reason)
  const timer = setTimeout(onTime, Math.min(timeoutMs, LONGEST_TIMER_MS))
  given?.addEventListener('abort', onAbort)
  try {
    const result = Promise.race([Promise.resolve().then(() => work(controller.signal)), end])
    if (given?.aborted === true) onAbort()
    return await result
  } finally {
    clearTimeout(timer)
    given?.removeEventListener('abort', onAbort)
  }
}

function timeLimitReached(what: string, timeoutMs: number): WorkspaceError {
  return new WorkspaceError('TIME_LIMIT', `${what} did not end within ${timeoutMs} ms.`, {
    facts: { timeoutMs },
    hint: 'It got a signal that is aborted now. Find out why it hangs, or raise the limit.',
  })
}

/**
 * Awaits work that no signal ends, but not longer than a limit: then it rejects with the error, and the work goes on
 * alone.
 */
export async function untilLimit<T>(
  work: T | PromiseLike<T>,
  limitMs: number,
  error: () => WorkspaceError,
): Promise<T> {
  const { promise: end, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(error()), limitMs)
  try {
    return await Promise.race([work, end])
  } finally {
    clearTimeout(timer)
  }
}

/** Awaits work, but not beyond an abort: then it rejects with the reason, and the work goes on alone. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: end, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason as Error)
  signal.addEventListener('abort', onAbort)
  if (signal.aborted) onAbort()
  try {
    return await Promise.race([work, end])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** Waits for some milliseconds, or until the signal is aborted. Never rejects, and leaves no timer behind. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const onAbort = (): void => resolve()
  const timer = setTimeout(resolve, Math.min(ms, LONGEST_TIMER_MS))
  signal.addEventListener('abort', onAbort)
  await promise
  clearTimeout(timer)
  signal.removeEventListener('abort', onAbort)
}

/** The longest delay of a timer, in milliseconds; with a longer one it fires at once. */
export const LONGEST_TIMER_MS = 2_147_483_647
