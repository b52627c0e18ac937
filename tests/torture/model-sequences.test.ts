import { expect, test } from 'vitest'
import { interleavings } from '../../scripts/torture/model/interleavings.ts'
import { modelSequences } from '../../scripts/torture/model/model-sequences.ts'
import { holds } from './holds.ts'

test(
  'whatever is done to a session, also while its process dies, it is what the model says',
  { timeout: 240_000 },
  async () => {
    const { figures } = await holds(modelSequences, 0.02)
    expect(figures).toMatchObject({ 'random sequences of commands': 2_000 })
  },
)

test(
  'commands given at once come to what they come to in some order',
  { timeout: 240_000 },
  async () => {
    const { figures } = await holds(interleavings, 0.015)
    expect(figures).toMatchObject({ 'schedules of commands given at once': 300 })
  },
)
