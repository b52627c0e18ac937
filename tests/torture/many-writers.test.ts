import { expect, test } from 'vitest'
import { manyWriters } from '../../scripts/torture/many-writers.ts'
import { holds } from './holds.ts'

test('processes that append to one session at once, over crashes of their server, lose and double nothing', async () => {
  const { figures } = await holds(manyWriters, 0.005)
  expect(figures).toMatchObject({ 'sqlite: entries': 400, 'postgres: entries': 400 })
})

test('without time, each process appends once, and no server is killed', async () => {
  const { figures, failures, done } = await manyWriters.run({ seed: 1, scale: 1, forMs: 0 })
  expect(failures).toEqual([])
  expect(figures).toMatchObject({
    'sqlite: entries': 8,
    'postgres: entries': 8,
    'PostgreSQL killed and started again': 0,
  })
  expect(done).toBe(16 / 160_000)
})
