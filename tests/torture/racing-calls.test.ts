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
