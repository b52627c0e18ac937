import { expect, test } from 'vitest'
import { createSegment } from '../../../src/search/index/segment.ts'
import { SHOP } from '../some-documents.ts'

test('removed documents leave nothing behind, however often they are added and removed', () => {
  const segment = createSegment()
  for (let round = 0; round < 3; round += 1) {
    for (const document of SHOP) segment.put(document)
    for (const { name, kind = 'tool' } of SHOP) segment.take(name, kind)
  }
  expect(segment.size).toBe(0)
  expect(segment.vocabulary.size).toBe(0)
  expect(segment.slots).toBe(SHOP.length)
  expect(segment.frequency('page')).toBe(0)
})

test('a document is identified by kind and name', () => {
  const segment = createSegment()
  for (const document of SHOP) segment.put(document)
  const slot = segment.slotOf('billing', 'skill') ?? -1
  expect(segment.documentAt(slot)).toEqual({
    name: 'billing',
    kind: 'skill',
    owner: 'billing',
    bare: 'billing',
  })
  expect(segment.slotOf('billing', 'tool')).toBeUndefined()
})
