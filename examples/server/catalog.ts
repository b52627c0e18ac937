import { createCatalog, defineAgent, defineSkill, defineTool, type ToolContext } from 'loadout'
import { z } from 'zod'
import type { Shop } from './shop.ts'

/** What handlers get as `ctx.services`. */
export interface Services {
  readonly shop: Shop
}

type Context = ToolContext<Services>
const input = z.object({ order: z.string() })

const findOrder = defineTool({
  name: 'findOrder',
  description: 'Find an order by its number: what was paid, and whether it was paid back.',
  category: 'retrieval',
  inputSchema: input,
  execute: ({ order }, { services }: Context) => services.shop.find(order),
})

const refund = defineTool({
  name: 'refund',
  description: 'Pay an order back.',
  category: 'action',
  risk: 'destructive',
  requiresConfirmation: true,
  inputSchema: input,
  execute: ({ order }, { services }: Context) => services.shop.payBack(order),
})

/** The same in every process, so that each can go on where another one stopped. */
export const catalog = await createCatalog({
  skills: [
    defineSkill({
      name: 'orders',
      description: 'Looks orders up.',
      instructions: 'Say what was paid.',
      tools: [findOrder],
    }),
    defineSkill({
      name: 'refunds',
      description: 'Pays orders back.',
      instructions:
        'Find the order first. When it is not known whether it was paid back, find it again.',
      requires: ['orders'],
      tools: [refund],
    }),
  ],
  agents: [defineAgent({ name: 'clerk', prompt: 'You help the customers of a shop.' })],
})
