import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { debounce } from '../../../src/project/watch-project.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A task that ends when it is told to, and counts its runs. */
function aTask() {
  const ends: (() => void)[] = []
  const task = () => new Promise<void>((end) => void ends.push(end))
  return { task, ends }
}

test('a task runs once when it has been quiet, however often it was poked', async () => {
  const { task, ends } = aTask()
  const quiet = debounce(task, 100, 2_000)
  for (let poke = 0; poke < 5; poke += 1) {
    quiet.poke()
    await vi.advanceTimersByTimeAsync(99)
  }
  expect(ends).toHaveLength(0)
  await vi.advanceTimersByTimeAsync(1)
  expect(ends).toHaveLength(1)
  ends[0]?.()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(ends).toHaveLength(1)
})

test('it does not wait for ever while things go on', async () => {
  const { task, ends } = aTask()
  const quiet = debounce(task, 100, 250)
  for (let poke = 0; poke < 6; poke += 1) {
    quiet.poke()
    await vi.advanceTimersByTimeAsync(50)
  }
  expect(ends).toHaveLength(1)
})

test('what happens while it runs makes it run once more, after it', async () => {
  const { task, ends } = aTask()
  const quiet = debounce(task, 100, 2_000)
  quiet.poke()
  await vi.advanceTimersByTimeAsync(100)
  quiet.poke()
  quiet.poke()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(ends).toHaveLength(1)
  ends[0]?.()
  await vi.advanceTimersByTimeAsync(100)
  expect(ends).toHaveLength(2)
})

test('closing waits for the task that runs and begins no other', async () => {
  const { task, ends } = aTask()
  const quiet = debounce(task, 100, 2_000)
  quiet.poke()
  await vi.advanceTimersByTimeAsync(100)
  quiet.poke()
  let closed = false
  const closing = quiet.close().then(() => {
    closed = true
  })
  await vi.advanceTimersByTimeAsync(5_000)
  expect(closed).toBe(false)
  ends[0]?.()
  await closing
  await vi.advanceTimersByTimeAsync(5_000)
  expect(ends).toHaveLength(1)
})
