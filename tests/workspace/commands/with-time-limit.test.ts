import { expect, test, vi } from 'vitest'
import { withTimeLimit } from '../../../src/workspace/commands/with-time-limit.ts'

test('work that ends in time gives what it gives, and leaves no timer', async () => {
  vi.useFakeTimers()
  try {
    expect(await withTimeLimit('It', 1_000, () => 7)).toBe(7)
    await expect(withTimeLimit('It', 1_000, () => Promise.reject(new Error('no')))).rejects.toThrow(
      'no',
    )
    await expect(
      withTimeLimit('It', 1_000, () => {
        throw new Error('at once')
      }),
    ).rejects.toThrow('at once')
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

test('work that hangs is aborted at the limit, and what it does later is ignored', async () => {
  const late = Promise.withResolvers<never>()
  const signals: AbortSignal[] = []
  const work = withTimeLimit('The hook', 5, (signal) => {
    signals.push(signal)
    return late.promise
  })
  await expect(work).rejects.toThrow('The hook did not end within 5 ms.')
  expect(signals[0]?.aborted).toBe(true)
  expect(signals[0]?.reason).toMatchObject({ code: 'TIME_LIMIT' })
  late.reject(new Error('too late'))
})

test.each([Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER])(
  'a limit of %d ms, beyond what timers can do, is not mistaken for none',
  async (timeoutMs) => {
    vi.useFakeTimers()
    try {
      const done = Promise.withResolvers<string>()
      const work = withTimeLimit('It', timeoutMs, () => done.promise)
      await vi.advanceTimersByTimeAsync(86_400_000)
      done.resolve('done')
      expect(await work).toBe('done')
    } finally {
      vi.useRealTimers()
    }
  },
)
