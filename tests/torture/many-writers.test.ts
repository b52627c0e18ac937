import { expect, test } from 'vitest'
import { manyWriters } from '../../scripts/torture/many-writers.ts'
import { holds } from './holds.ts'

test(manyWriters.claim, { timeout: 120_000 }, async () => {
  const { figures } = await holds(manyWriters, 0.005)
  expect(figures).toMatchObject({ 'sqlite: entries': 400, 'postgres: entries': 400 })
})
