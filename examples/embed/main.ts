import { createCatalog, defineAgent, defineTool, defineToolset, VirtualWorkspace } from 'loadout'
import type { ToolContext } from 'loadout'
import { loadSkills } from 'loadout/node'
import { z } from 'zod'

/** What this program already has, and hands to its tools. */
interface Services {
  readonly shop: { refund(order: string): { readonly order: string; readonly paid: number } }
}
const services: Services = { shop: { refund: (order) => ({ order, paid: 42 }) } }

const refund = defineTool({
  name: 'refund',
  description: 'Pay an order back.',
  category: 'action',
  risk: 'destructive',
  inputSchema: z.object({ order: z.string() }),
  execute: ({ order }, context: ToolContext<Services>) => context.services.shop.refund(order),
})
const shopTools = defineToolset({
  name: 'shop-tools',
  description: 'What a clerk may do.',
  tools: [refund],
})
const support = defineAgent({ name: 'support', prompt: 'You help the customers of a shop.' })

// Once per process. Reading skills runs none of their code.
const { skills } = await loadSkills(`${import.meta.dirname}/skills`)
const catalog = await createCatalog({ skills, toolsets: [shopTools], agents: [support] })

// Once per conversation.
const workspace = await VirtualWorkspace.open({ catalog, agent: 'support', services })

const early = await workspace.callTool(refund, { order: '7' })
if (!early.ok) console.log(`before: ${early.error.message}`)
console.log(`to change that: ${workspace.explain('refund').fix}`)

const outcome = await workspace.activateSkill('refunds', { lifetime: { uses: 1 } })
if (outcome.ok) console.log(`entry ${outcome.seq} brought: ${outcome.difference.added.join(', ')}`)

const result = await workspace.callTool(refund, { order: '7' })
if (result.ok) console.log(`paid back: ${result.data.paid}`)

const { status, because } = workspace.explain('refund')
console.log(`now ${status}, because:`)
for (const { seq, text } of because) console.log(`  #${seq} ${text}`)

await workspace.close()
