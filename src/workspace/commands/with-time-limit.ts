/** The reason of an abort at the time limit. */
class TimeLimitReached extends Error {
  override readonly name = 'TimeLimitReached'
}

/**
 * Runs work with an AbortSignal and a time limit. Rejects with `TimeLimitReached` at the limit, even
 * when the work does not react to the abort; its later result is ignored. Leaves no timer behind.
 */
export async function withTimeLimit<T>(
  what: string,
  timeoutMs: number,
  work: (signal: AbortSignal) => T | Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const { promise: limit, reject } = Promise.withResolvers<never>()
  const onTime = () => {
    const reason = new TimeLimitReached(`${what} did not end within ${timeoutMs} ms.`)
    controller.abort(reason)
    reject(reason)
  }
  const timer = setTimeout(onTime, Math.min(timeoutMs, LONGEST_TIMER_MS))
  try {
    return await Promise.race([Promise.resolve().then(() => work(controller.signal)), limit])
  } finally {
    clearTimeout(timer)
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
