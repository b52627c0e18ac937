import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createToolIndex, layeredIndex, type ToolIndex } from '../../src/search/rank/tool-index.ts'
import type { ToolDocument } from '../../src/search/index/tool-document.ts'
import { anyDocument, anyQuery } from './a-document.ts'

const change = fc.record({ document: anyDocument, kind: fc.constantFrom('add', 'add', 'remove') })
type Change = typeof change extends fc.Arbitrary<infer One> ? One : never

/** Documents by kind and name, as an index holds them. */
function heldBy(documents: Iterable<ToolDocument>): Map<string, ToolDocument> {
  return new Map(Array.from(documents, (one) => [keyOf(one), one]))
}

function keyOf({ name, kind = 'tool' }: ToolDocument): string {
  return `${kind} ${name}`
}

/** Make the changes on an index and on what it should hold. */
function makeChanges(
  index: ToolIndex,
  held: Map<string, ToolDocument>,
  changes: readonly Change[],
) {
  for (const { document, kind } of changes) {
    if (kind === 'add') {
      index.add(document)
      held.set(keyOf(document), document)
    } else {
      expect(index.remove(document.name, document.kind)).toBe(held.delete(keyOf(document)))
    }
  }
}

test('after any changes an index ranks like a new one', () => {
  fc.assert(
    fc.property(
      fc.array(anyDocument, { maxLength: 12 }),
      fc.array(change, { maxLength: 12 }),
      fc.array(anyQuery, { minLength: 1, maxLength: 4 }),
      (documents, changes, queries) => {
        const index = createToolIndex(documents)
        const held = heldBy(documents)
        makeChanges(index, held, changes)
        const fresh = createToolIndex([...held.values()].toReversed())
        expect(index.size).toBe(held.size)
        for (const query of queries) expect(index.search(query)).toEqual(fresh.search(query))
      },
    ),
    { numRuns: 300 },
  )
})

test('layers rank together like one new index, and the shared one is not changed', () => {
  fc.assert(
    fc.property(
      fc.array(anyDocument, { maxLength: 12 }),
      fc.array(anyDocument, { maxLength: 6 }),
      fc.array(change, { maxLength: 8 }),
      fc.array(anyQuery, { minLength: 1, maxLength: 4 }),
      (below, own, changes, queries) => {
        const base = createToolIndex(below)
        const middle = layeredIndex(base, own.slice(0, 2))
        const layered = layeredIndex(middle, own.slice(2))
        const held = heldBy([...below, ...own])
        makeChanges(layered, held, changes)
        const fresh = createToolIndex(held.values())
        expect(layered.size).toBe(held.size)
        for (const query of queries) {
          expect(layered.search(query)).toEqual(fresh.search(query))
          expect(base.search(query)).toEqual(createToolIndex(below).search(query))
        }
      },
    ),
    { numRuns: 300 },
  )
})

test('changes of a shared index are visible in the layer over it', () => {
  const base = createToolIndex([{ name: 'get_page', description: 'Read a page.' }])
  const layered = layeredIndex(base, [{ name: 'get_image', description: 'Read an image.' }])
  expect(layered.search('weather').results).toEqual([])
  base.add({ name: 'get_weather', description: 'Read the weather.' })
  expect(layered.search('weather').results).toMatchObject([{ name: 'get_weather' }])
})

test('an index of another origin cannot be used below', () => {
  const theirs = {
    size: 0,
    search: () => ({ results: [], confidence: 0, route: 'lexical' as const }),
  }
  expect(() => layeredIndex(theirs)).toThrow('cannot be used below')
})
