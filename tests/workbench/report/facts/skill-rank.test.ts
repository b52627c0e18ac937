import { createCatalog, defineSkill, defineTool } from 'loadout'
import { expect, test } from 'vitest'
import { skillRankText } from '../../../../src/workbench/report/facts/history-report.ts'

test('a skill that fits less than many tools has its place among the skills', async () => {
  const tools = ['refund_order', 'find_order', 'list_orders'].map((name) =>
    defineTool({ name, description: `${name} of an order`, execute: () => 1 }),
  )
  const described = { name: 'billing', description: 'Orders.', tools }
  const catalog = await createCatalog({ skills: [defineSkill(described)] })
  expect(skillRankText('billing', 'refund the order', catalog)).toBe(
    'by search, its description is at place 1 of 1 for these words',
  )
  expect(skillRankText('billing', 'zzqx', catalog)).toBe('its description has none of these words')
  expect(skillRankText('refund_order', 'refund the order', catalog)).toBe('')
})
