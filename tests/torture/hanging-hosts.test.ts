import { expect, test } from 'vitest'
import { hangingHosts } from '../../scripts/torture/hanging-hosts.ts'
import { holds } from './holds.ts'

test('whatever the host leaves open, every call is answered, a workspace closes, and its state is what its log says', async () => {
  const { figures } = await holds(hangingHosts, 0.02)
  expect(figures).toMatchObject({ sessions: 40 })
})
