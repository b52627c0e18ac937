import { expect, test } from 'vitest'
import { killedChats } from '../../scripts/torture/killed-chats.ts'
import { holds } from './holds.ts'

test('a conversation whose processes are killed is continued: same end, no call twice', async () => {
  const { figures } = await holds(killedChats, 0.05)
  expect(figures['processes killed']).toBe(10)
})
