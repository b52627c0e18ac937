import { expect, test } from 'vitest'
import { openProject } from '../../src/workbench/project/folders/open-project.ts'
import { confusedPairs } from '../../src/search/confused-pairs.ts'
import { documentsOf } from '../../src/search/catalog-index.ts'
import type { ToolDocument } from '../../src/search/index/tool-document.ts'
import { readSet } from './read-set.ts'
import { SHOP } from './some-documents.ts'

const named = (documents: readonly ToolDocument[]) =>
  confusedPairs(documents).map(({ first, second }) => [first.name, second.name].sort().join(' / '))

test('tools with different descriptions are not confused', () => {
  expect(confusedPairs(SHOP)).toEqual([])
})

test('two tools with the same description are a pair, with their common words', () => {
  const twin = { name: 'repay_order', description: 'Pay the money of an order back to customers.' }
  expect(confusedPairs([...SHOP, twin])).toEqual([
    {
      first: { name: 'refund_order', kind: 'tool' },
      second: { name: 'repay_order', kind: 'tool' },
      words: expect.arrayContaining(['money']),
      phrases: [],
    },
  ])
})

test('a skill and a tool that is not its own can be confused; with its own it cannot', () => {
  const skill: ToolDocument = {
    name: 'greenhouse',
    kind: 'skill',
    description: 'Water the tomatoes of the greenhouse.',
  }
  const tool = { name: 'watering', description: 'Water the tomatoes of the greenhouse.' }
  expect(named([...SHOP, skill, tool])).toEqual(['greenhouse / watering'])
  expect(named([...SHOP, skill, { ...tool, owner: 'greenhouse' }])).toEqual([])
})

test('a tool whose phrases find another one is confused with it, and the phrases are listed', () => {
  const label = {
    name: 'print_label',
    description: 'Stickers for parcels and boxes.',
    phrases: ['send_invoice', 'a sticker for my parcel'],
  }
  expect(confusedPairs([...SHOP, label])).toMatchObject([
    { first: { name: 'print_label' }, second: { name: 'send_invoice' }, phrases: ['send_invoice'] },
  ])
})

test('a name in a description is not searched as a name', () => {
  const publish = {
    name: 'publish_site',
    description: 'Upload everything to production servers. Needs create_page first.',
  }
  expect(confusedPairs([...SHOP, publish])).toEqual([])
})

test('a very short description is not confused, and unusual names work', () => {
  const documents = ['__proto__', 'constructor', 'toString'].map((name) => ({
    name,
    description: 'Get it.',
  }))
  expect(confusedPairs(documents)).toEqual([])
  expect(confusedPairs([])).toEqual([])
})

test('of 527 tools of many servers, those of the same browser and the same exchange are found', () => {
  const { documents } = readSet('livemcp', 1)
  const pairs = named(documents)
  expect(pairs).toContain('playwright__playwright_hover / puppeteer__puppeteer_hover')
  expect(pairs.length).toBeLessThan(20)
})

test('the public skills of the corpus are not confused', async () => {
  const { catalog } = await openProject(['tests/corpus'], { home: null, trusted: false })
  expect(documentsOf(catalog).length).toBeGreaterThan(30)
  expect(named(documentsOf(catalog))).toEqual([])
})
