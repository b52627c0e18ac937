import { LONGEST_TIMER_MS } from './longest-timer.ts'

/** Wait, at most until the signal is aborted; never rejects, and leaves no timer behind. */
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
