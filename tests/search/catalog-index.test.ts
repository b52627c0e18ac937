import { expect, test } from 'vitest'
import { createCatalog } from '../../src/catalog/create/create-catalog.ts'
import { catalogIndex, documentsOf } from '../../src/search/catalog-index.ts'
import { defineSkill } from '../../src/skills/definition/define-skill.ts'
import { componentNamed } from '../catalog/component-named.ts'
import { toolNamed } from '../skills/tool-named.ts'

const refund = toolNamed('refund', { description: 'Pay an order back.' })
const otherRefund = toolNamed('refund', { description: 'Pay a ticket back.' })

async function catalogOf() {
  return createCatalog({
    tools: [toolNamed('clock')],
    components: [componentNamed('notes')],
    skills: [
      defineSkill({
        name: 'billing',
        description: 'Bills.',
        whenToUse: 'When somebody asks about money.',
        triggers: ['where is my invoice'],
        tags: ['payments'],
        capabilities: ['refunds'],
        aliases: ['accounts'],
        tools: [refund],
      }),
      defineSkill({ name: 'travel', description: 'Trips.', tools: [otherRefund] }),
      defineSkill({ name: 'shop', description: 'Orders.', tools: [refund] }),
    ],
  })
}

test('tools have the name they are listed under, each definition once', async () => {
  const documents = documentsOf(await catalogOf())
  expect(documents.map(({ name, kind = 'tool', owner }) => [kind, name, owner])).toEqual([
    ['tool', 'clock', undefined],
    ['tool', 'add_notes', 'notes'],
    ['tool', 'refund', 'billing'],
    ['tool', 'travel/refund', 'travel'],
    ['skill', 'billing', undefined],
    ['skill', 'shop', undefined],
    ['skill', 'travel', undefined],
  ])
})

test('all texts of a skill can be searched', async () => {
  const index = catalogIndex(await catalogOf())
  for (const query of ['bills', 'invoice', 'payments', 'refunds', 'accounts']) {
    const { results } = index.search(query, { only: (_, kind) => kind === 'skill' })
    expect(results[0]?.name).toBe('billing')
  }
})

test('the index of a catalog is built once', async () => {
  const catalog = await catalogOf()
  expect(catalogIndex(catalog)).toBe(catalogIndex(catalog))
  expect(catalogIndex(await catalogOf())).not.toBe(catalogIndex(catalog))
})
