import { expect, test } from 'vitest'
import { interleavings } from '../../scripts/torture/model/interleavings.ts'
import { modelSequences, playLife } from '../../scripts/torture/model/model-sequences.ts'
import { holds } from './holds.ts'

test('whatever is done to a session, also while its process dies, it is what the model says', async () => {
  const { figures } = await holds(modelSequences, 0.02)
  expect(figures).toMatchObject({ 'random sequences of commands': 2_000 })
})

test('commands that run at once have the result of some order of them', async () => {
  const { figures } = await holds(interleavings, 0.015)
  expect(figures).toMatchObject({ 'schedules of commands given at once': 300 })
})

test('an expired question, asked again by a process that died, is distinct from the new one', async () => {
  const call = { do: 'call', tool: 'asked', by: 0, throws: false } as const
  const { difference, deaths } = await playLife([
    { deed: call },
    { deed: { do: 'wait', ms: 10_000 } },
    { deed: call, dies: { at: 1, append: 'lost' } },
    { deed: { do: 'answer', which: 0, approve: true } },
  ])
  expect({ difference, deaths }).toEqual({ difference: null, deaths: 1 })
})
