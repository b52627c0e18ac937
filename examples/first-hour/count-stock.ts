import { defineTool } from 'loadout'
import { z } from 'zod'

export const countStock = defineTool({
  name: 'count_stock',
  description: 'Say how many of an item are left.',
  category: 'retrieval',
  inputSchema: z.object({ item: z.string() }),
  execute: ({ item }) => ({ item, left: item === 'lamp' ? 1 : 12 }),
})
