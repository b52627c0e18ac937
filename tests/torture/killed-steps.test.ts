import { expect, test } from 'vitest'
import { killedSteps } from '../../scripts/torture/killed-steps.ts'
import { holds } from './holds.ts'

test('steps of killed processes are made again: same end, no call twice, and the prefix is kept', async () => {
  const { figures } = await holds(killedSteps, 0.05)
  expect(figures['processes killed']).toBe(10)
})
