import { expect, test } from 'vitest'
import { failingParts } from '../../scripts/torture/model/failing-parts.ts'
import { holds } from './holds.ts'

test('whichever call of the log, hook or handler fails, the session is the one before or after, as is its log', async () => {
  const { figures } = await holds(failingParts, 0.008)
  expect(figures).toMatchObject({ scenarios: 4 })
})
