import { expect, test } from 'vitest'
import { conditions } from '../../scripts/torture/conditions.ts'
import { holds } from './holds.ts'

test('a person is asked exactly where the condition of a tool says so', async () => {
  const { figures } = await holds(conditions, 0.02)
  expect(figures).toMatchObject({ 'conditions of tools': 30, 'calls that they judged': 600 })
})
