import { expect, test } from 'vitest'
import { CallsInFlight } from '../../../src/workspace/calls/calls-in-flight.ts'

const isTaken = false

test('of a call that has ended nothing is kept, and its id can be had again', async () => {
  const calls = new CallsInFlight()
  const running = calls.begin('c1', isTaken)
  expect(running?.call).toBe('c1')
  expect([calls.isIdle, calls.isRunning('c1')]).toEqual([false, true])
  const ended = calls.ended('c1')
  running?.end()
  await ended
  expect([calls.isIdle, calls.isRunning('c1'), calls.ended('c1')]).toEqual([true, false, null])
  expect(calls.begin('c1', isTaken)?.call).toBe('c1')
})

test('an id that runs, or that the log has running, is not given twice', () => {
  const calls = new CallsInFlight()
  calls.begin('c1', isTaken)
  expect(calls.begin('c1', isTaken)?.call).not.toBe('c1')
  expect(calls.begin('c2', true)?.call).not.toBe('c2')
})
