import { expect, test } from 'vitest'
import { racingCalls } from '../../scripts/torture/racing-calls.ts'
import { holds } from './holds.ts'

test('of calls that many processes make in one session at once, each is made, once, and its end is recorded', async () => {
  const { figures } = await holds(racingCalls, 0.02)
  expect(figures).toMatchObject({
    'sqlite: calls made and recorded': 64,
    'postgres: calls made and recorded': 64,
  })
})

test('without time, each process makes one call', async () => {
  const { figures, failures, done } = await racingCalls.run({ seed: 1, scale: 1, forMs: 0 })
  expect(failures).toEqual([])
  expect(figures).toMatchObject({ 'sqlite: calls made and recorded': 8 })
  expect(done).toBe(16 / 6_400)
})
