import { appendFile } from 'node:fs/promises'
import { createCatalog, defineSkill, defineTool } from 'loadout'
import { z } from 'zod'
import { countStock } from './count-stock.ts'

const orderStock = defineTool({
  name: 'order_stock',
  description: 'Order an item from the supplier.',
  category: 'action',
  requiresConfirmation: true,
  inputSchema: z.object({ item: z.string(), count: z.number() }),
  execute: async ({ item, count }) => {
    await appendFile('orders.txt', `${count} ${item}\n`)
    return { ordered: count }
  },
})

const purchasing = defineSkill({
  name: 'purchasing',
  description: 'Keep the shelves full.',
  instructions: 'Count before you order.',
  tools: [countStock, orderStock],
})

export const catalog = await createCatalog({ skills: [purchasing] })
