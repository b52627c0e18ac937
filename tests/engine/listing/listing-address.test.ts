import { expect, test } from 'vitest'
import { listingAddress } from '../../../src/engine/standing/list-tools.ts'

test.each([
  ['find', 'skill', 'maps', 'maps/find'],
  ['maps/find', 'skill', 'maps', 'maps/find'],
  ['skill:maps/find', 'skill', 'maps', 'skill:maps/find'],
  ['find', 'global', 'global', 'find'],
  ['find', 'component', 'maps', 'find'],
] as const)('%s of %s %s is asked about as %s', (name, source, owner, address) => {
  expect(listingAddress({ name, source, owner })).toBe(address)
})
