import { expect, test } from 'vitest'
import { createCatalog } from '../../../../src/entries/index.ts'
import { leastNeeded } from '../../../../src/connections/mcp/server/client-shares.ts'
import { connected, endpointFor } from './served.ts'

const one = (principal: string, busy = 0) => ({ principal, session: { busy } })

test.each([
  {
    what: 'the oldest of the principal that has the most',
    owners: ['ada', 'bob', 'bob'],
    newcomer: 'bob',
    least: 1,
  },
  {
    what: 'one of the most for somebody new',
    owners: ['ada', 'bob', 'bob'],
    newcomer: 'eve',
    least: 1,
  },
  {
    what: 'the own oldest before that of somebody with fewer',
    owners: ['ada', 'bob'],
    newcomer: 'bob',
    least: 1,
  },
  {
    what: 'the oldest where all have the same',
    owners: ['ada', 'bob'],
    newcomer: 'eve',
    least: undefined,
  },
])('$what ends', ({ owners, newcomer, least }) => {
  const things = owners.map((owner) => one(owner))
  const found = leastNeeded(things, newcomer)
  if (least === undefined) expect(found).toBeDefined()
  else expect(found).toBe(things[least])
})

test('what works on a call does not end, and neither does what belongs to somebody with fewer', () => {
  const [ada, busy, idle] = [one('ada'), one('bob', 1), one('bob')]
  expect(leastNeeded([ada, busy, idle], 'bob')).toBe(idle)
  expect(leastNeeded([ada, busy], 'bob')).toBeUndefined()
})

test('a connection may have a thousand subscriptions, and not one more', async () => {
  const endpoint = await endpointFor({ workspace: { catalog: await createCatalog({}) } })
  const client = await connected(endpoint, '2025-11-25')
  for (let at = 0; at < 1_000; at += 1) await client.subscribeResource({ uri: `a://${at}` })
  const refused = { data: { code: 'client-floods' }, message: expect.stringContaining('over 1000') }
  await expect(client.subscribeResource({ uri: 'a://more' })).rejects.toMatchObject(refused)
  await client.subscribeResource({ uri: 'a://1' })
  await client.unsubscribeResource({ uri: 'a://1' })
  await client.subscribeResource({ uri: 'a://more' })
})

test('a subscription of a long address is refused', async () => {
  const endpoint = await endpointFor({ workspace: { catalog: await createCatalog({}) } })
  const client = await connected(endpoint, '2025-11-25')
  const refused = { data: { code: 'client-floods' } }
  await expect(
    client.subscribeResource({ uri: `a://${'x'.repeat(300_000)}` }),
  ).rejects.toMatchObject(refused)
})
