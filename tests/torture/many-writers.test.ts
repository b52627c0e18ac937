import { expect, test } from 'vitest'
import { manyWriters } from '../../scripts/torture/many-writers.ts'
import { holds } from './holds.ts'

test('processes that append to one session at once, over crashes of their server, lose and double nothing', async () => {
  const { figures } = await holds(manyWriters, 0.005)
  expect(figures).toMatchObject({ 'sqlite: entries': 400, 'postgres: entries': 400 })
})
