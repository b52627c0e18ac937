import { expect, test } from 'vitest'
import { killedServers } from '../../scripts/torture/killed-servers.ts'
import { holds } from './holds.ts'

test('servers that are killed at any moment neither lose nor repeat a message', async () => {
  const { figures } = await holds(killedServers, 0.2)
  expect(figures).toMatchObject({ 'servers killed': 4 })
})
