import { expect, test } from 'vitest'
import { killedTasks } from '../../scripts/torture/killed-tasks.ts'
import { holds } from './holds.ts'

test('subagents of killed processes continue, make no call twice, and their prices sum', async () => {
  const { figures } = await holds(killedTasks, 0.05)
  expect(figures['runs of three subagents']).toBe(3)
  expect(figures['processes killed']).toBeGreaterThan(0)
})
