import { expect, test } from 'vitest'
import { damagedLines } from '../../scripts/torture/damaged-lines.ts'
import { fullDisk } from '../../scripts/torture/full-disk.ts'
import { killedWriters } from '../../scripts/torture/killed-writers.ts'
import { holds } from './holds.ts'

test('a writer that is killed at any moment loses no acknowledged entry', async () => {
  const { figures } = await holds(killedWriters, 0.02)
  expect(figures).toMatchObject({ 'writers killed': 20 })
})

test('a JSON Lines log that was cut or changed anywhere is read for what it was, or not at all', async () => {
  const { figures } = await holds(damagedLines, 0.01)
  expect(figures['bits flipped']).toBeGreaterThan(3_000)
})

test('on a full or read-only disk an append fails completely, and all earlier entries stay readable', async () => {
  const { figures } = await holds(fullDisk, 0.02)
  expect(figures['appends acknowledged before']).toBeGreaterThan(50)
})
