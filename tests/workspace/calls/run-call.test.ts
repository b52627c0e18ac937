import fc from 'fast-check'
import { expect, test } from 'vitest'
import { maxRetries, retryDelay } from '../../../src/workspace/calls/run-call.ts'

const none = { details: {} }

test.each([
  { attempt: 1, most: 200 },
  { attempt: 2, most: 400 },
  { attempt: 6, most: 6_400 },
  { attempt: 7, most: 10_000 },
  { attempt: 5_000, most: 10_000 },
])('after attempt $attempt the delay is anything up to $most ms', ({ attempt, most }) => {
  expect(retryDelay(none, attempt, () => 0)).toBe(0)
  expect(retryDelay(none, attempt, () => 0.5)).toBe(most / 2)
  expect(retryDelay(none, attempt, () => 1)).toBe(most)
})

test('what the failure asks for is waited for in any case', () => {
  expect(retryDelay({ details: { retryAfterMs: 30_000 } }, 1, () => 0)).toBe(30_000)
  expect(retryDelay({ details: { retryAfterMs: 30_000 } }, 1, () => 0.5)).toBe(30_100)
})

test('whatever a failure asks for, or a source of randomness gives, the delay is a number of ms', () => {
  fc.assert(
    fc.property(fc.anything(), fc.anything(), fc.nat(), (retryAfterMs, random, attempt) => {
      const delay = retryDelay({ details: { retryAfterMs } }, attempt + 1, () => random as number)
      expect(delay).toBeGreaterThanOrEqual(0)
      expect(Number.isFinite(delay)).toBe(true)
    }),
    { numRuns: 500, examples: [[0n, 0n, 0]] },
  )
})

test('a source of randomness that throws leaves the whole delay', () => {
  const broken = () => {
    throw new Error('no dice')
  }
  expect(retryDelay(none, 1, broken)).toBe(200)
})

test.each([
  { tool: { idempotent: false, retries: 5 }, most: 0 },
  { tool: { idempotent: true, retries: 5 }, most: 5 },
  { tool: { idempotent: true, retries: 0 }, most: 0 },
  { tool: { idempotent: true }, most: 2 },
])('$tool is tried again $most times at most', ({ tool, most }) => {
  expect(maxRetries(tool, { retries: 2 })).toBe(most)
})
