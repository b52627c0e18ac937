import { expect, test } from 'vitest'
import { firstOpens } from '../../scripts/torture/first-opens.ts'
import { holds } from './holds.ts'

test('processes that open a new SQLite log at the same moment all succeed', async () => {
  const { figures } = await holds(firstOpens, 0.04)
  expect(figures).toMatchObject({ 'concurrent first opens': 80, failed: 0 })
})
