import { expect, test } from 'vitest'
import { drift } from '../../scripts/torture/drift.ts'
import { holds } from './holds.ts'

test('a change of any field of an approved definition is noticed, another order of keys is none', async () => {
  const { figures } = await holds(drift, 1)
  expect(figures).toMatchObject({ 'changes of one field': 1_000, 'reorderings of keys': 1_000 })
})
