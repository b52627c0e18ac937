import { expect, test } from 'vitest'
import { soak } from '../../scripts/torture/soak.ts'
import { holds } from './holds.ts'

test('sessions that come, work and go leave no handle or listener', async () => {
  const { figures } = await holds(soak, 0.002)
  expect(figures['cycles of activate, search, call and deactivate']).toBeGreaterThanOrEqual(2_000)
})
