import { createCatalog, defineAgent, defineSkill, defineTool } from 'loadout'
import { z } from 'zod'

const refund = defineTool({
  name: 'refund',
  description: 'Pay an order back.',
  category: 'action',
  risk: 'destructive',
  requiresConfirmation: true,
  inputSchema: z.object({ order: z.string() }),
  execute: ({ order }) => ({ order, paid: 42 }),
})
const refunds = defineSkill({
  name: 'refunds',
  description: 'Pay customers back.',
  instructions: 'Refund an order once.',
  tools: [refund],
})

/** All that the clerk of a shop may do. */
export const catalog = await createCatalog({
  skills: [refunds],
  agents: [defineAgent({ name: 'clerk', prompt: 'You help the customers of a shop.' })],
})
