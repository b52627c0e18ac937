import { expect, test } from 'vitest'
import { schemas } from '../../scripts/torture/schemas.ts'
import { holds } from './holds.ts'

test('arguments and patterns have the verdicts of others', async () => {
  const { figures } = await holds(schemas, 0.01)
  expect(figures).toMatchObject({ 'arguments checked with random schemas': 1_000 })
})
