/** Wait for work of others, which may not heed its signal: at the abort it rejects with the reason. */
export async function untilAborted<T>(signal: AbortSignal, work: () => T | Promise<T>): Promise<T> {
  signal.throwIfAborted()
  const { promise: abort, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort)
  try {
    return await Promise.race([work(), abort])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
