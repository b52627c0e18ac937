import OpenAI from 'openai'
import {
  createCatalog,
  defineAgent,
  defineSkill,
  defineTool,
  VirtualWorkspace,
  type WorkspaceOptions,
} from 'loadout'
import { z } from 'zod'
import { onTestFinished } from 'vitest'
import {
  openWireServer,
  type WireServer,
  type WireServerOptions,
} from '../../../wires/server/open-wire-server.ts'

/** The calls that the tools of the shop ran, in order. */
export type Deeds = string[]

const order = z.object({ order: z.string() })

/** A shop: orders are found at any time; refunds are a skill, and a person approves each of them. */
export async function openShop(
  deeds: Deeds = [],
  options: Partial<WorkspaceOptions> = {},
): Promise<VirtualWorkspace> {
  const find = defineTool({
    name: 'find',
    description: 'Find an order.',
    category: 'retrieval',
    inputSchema: order,
    execute: ({ order: id }) => {
      deeds.push(`find ${id}`)
      return { order: id, paid: 42 }
    },
  })
  const refund = defineTool({
    name: 'shop.refund',
    description: 'Pay an order back.',
    category: 'action',
    requiresConfirmation: true,
    inputSchema: order,
    execute: ({ order: id }) => {
      deeds.push(`refund ${id}`)
      return `Order ${id} was paid back.`
    },
  })
  const skills = [
    defineSkill({
      name: 'refunds',
      description: 'Pays orders back.',
      instructions: 'Find the order first.',
      tools: [refund],
    }),
  ]
  const agent = defineAgent({ name: 'clerk', prompt: 'You help in a shop.' })
  const catalog =
    options.catalog ?? (await createCatalog({ skills, agents: [agent], tools: [find] }))
  const workspace = await VirtualWorkspace.open({
    agent: 'clerk',
    provider: 'openai',
    ...options,
    catalog,
  })
  onTestFinished(() => workspace.close())
  return workspace
}

/** A client of a scripted server on loopback. */
export async function openModel(
  answers: WireServerOptions['answers'],
): Promise<{ readonly client: OpenAI; readonly server: WireServer }> {
  const server = await openWireServer({ answers })
  onTestFinished(() => server.close())
  return { server, client: new OpenAI({ apiKey: 'k', baseURL: `${server.url}/v1` }) }
}
