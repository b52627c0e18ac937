import { expect, test } from 'vitest'
import { floods, neighbours } from '../../scripts/torture/floods/floods.ts'
import { holds } from './holds.ts'

test('25 kinds of floods of servers and models leave no more than their budget, and the session goes on and opens again', async () => {
  const { figures } = await holds(floods, 0.001)
  expect(figures).toMatchObject({ 'kinds of floods': 25 })
})

test('a client that floods ends no call, question or connection of another', async () => {
  const { figures } = await holds(neighbours, 0.001)
  expect(figures).toMatchObject({ 'kinds of floods': 7 })
})
