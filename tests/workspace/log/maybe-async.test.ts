import { expect, test } from 'vitest'
import {
  type MaybeAsync,
  runAsync,
  runSync,
  waitFor,
} from '../../../src/workspace/log/maybe-async.ts'

/** Adds up what it is given, and says how it ended. */
function* sum(values: readonly (number | Promise<number>)[], ended: string[]): MaybeAsync<number> {
  try {
    let total = 0
    for (const value of values) total += yield* waitFor(value)
    return total
  } catch (error) {
    ended.push('failed')
    throw error
  } finally {
    ended.push('ended')
  }
}

test('the same work runs with promises and without', async () => {
  const ended: string[] = []
  expect(await runAsync(sum([1, Promise.resolve(2), 3], ended))).toBe(6)
  expect(runSync(sum([1, 2, 3], ended))).toBe(6)
  expect(ended).toEqual(['ended', 'ended'])
})

test('a promise that rejects throws inside the work, and so does one that nobody can await', async () => {
  const ended: string[] = []
  const full = new Error('full')
  await expect(runAsync(sum([1, Promise.reject(full)], ended))).rejects.toBe(full)
  expect(() => runSync(sum([1, Promise.resolve(2)], ended))).toThrow(
    expect.objectContaining({ code: 'LOG_NOT_IMMEDIATE' }),
  )
  expect(ended).toEqual(['failed', 'ended', 'failed', 'ended'])
})

test('work can go on without the value it did not get', async () => {
  const work = function* (): MaybeAsync<string> {
    try {
      return yield* waitFor(Promise.reject(new Error('away')))
    } catch {
      return yield* waitFor('instead')
    }
  }
  expect(await runAsync(work())).toBe('instead')
})
