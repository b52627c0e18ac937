import { createCatalog, VirtualWorkspace } from 'loadout'
import { expect, test } from 'vitest'
import { settleDiscovery } from '../../../../src/workspace/offer/discovery/discovery-options.ts'

test('what is not given, or given as undefined, is the default', () => {
  const unset: object = { limit: undefined, keep: { cap: undefined }, guard: { flaps: 3 } }
  expect(settleDiscovery({ ...unset, pageTokens: 900 })).toMatchObject({
    limit: 5,
    pageTokens: 900,
    keep: { cap: 50 },
    guard: { sameQuery: 1, emptyInARow: 3, flaps: 3 },
  })
})

test.each<{ discovery: object; message: string; hint?: string }>([
  { discovery: { limit: -1 }, message: 'discovery.limit is -1: it is a number, and not negative.' },
  { discovery: { limit: 0 }, message: 'discovery.limit is 0: it is more than 0.' },
  {
    discovery: { pageTokens: Number.NaN },
    message: 'discovery.pageTokens is NaN: it is a number, and not negative.',
  },
  {
    discovery: { pageToken: 9 },
    message: 'discovery.pageToken is not known.',
    hint: 'Did you mean "pageTokens"? There are limit, pageTokens, search,',
  },
  { discovery: { keep: { turn: 3 } }, message: 'discovery.keep.turn is not known.' },
  { discovery: { guard: 3 }, message: 'discovery.guard is 3: it is an object of' },
])('$message', async ({ discovery, message, hint = '' }) => {
  const catalog = await createCatalog({})
  await expect(VirtualWorkspace.open({ catalog, discovery })).rejects.toMatchObject({
    code: 'DISCOVERY_INVALID',
    message: expect.stringContaining(message),
    hint: expect.stringContaining(hint),
  })
})
