import { createCatalog, defineAgent, defineSkill, defineTool } from 'loadout'
import { z } from 'zod'

const order = z.object({ order: z.string() })

const findOrder = defineTool({
  name: 'findOrder',
  description: 'Find an order by its number.',
  category: 'retrieval',
  inputSchema: order,
  execute: ({ order: id }) => ({ order: id, paid: 42 }),
})
const refund = defineTool({
  name: 'refund',
  description: 'Pay an order back.',
  category: 'action',
  requiresConfirmation: true,
  inputSchema: order,
  execute: ({ order: id }) => ({ order: id, paidBack: 42 }),
})
const refunds = defineSkill({
  name: 'refunds',
  description: 'Pays orders back.',
  instructions: 'Find the order before you pay it back.',
  tools: [findOrder, refund],
})
const clerk = defineAgent({ name: 'clerk', prompt: 'You help the customers of a shop.' })

/** The catalog of a shop: a skill with two tools, of which a person approves one. */
export const catalog = await createCatalog({ skills: [refunds], agents: [clerk] })
