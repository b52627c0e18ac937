import { render } from 'ink'
import { createCatalog, defineSkill, defineTool, VirtualWorkspace } from 'loadout'
import { createElement } from 'react'
import { z } from 'zod'
import { ToolScreen } from './tool-screen.ts'

const refund = defineTool({
  name: 'refund',
  description: 'Pay an order back.',
  category: 'action',
  risk: 'destructive',
  inputSchema: z.object({ order: z.string() }),
  execute: ({ order }) => ({ order, paid: 42 }),
})
const refunds = defineSkill({
  name: 'refunds',
  description: 'Pay customers back.',
  instructions: 'Look at the order first. Refund it once.',
  tools: [refund],
})

const catalog = await createCatalog({ skills: [refunds] })
const workspace = await VirtualWorkspace.open({ catalog })

const screen = render(createElement(ToolScreen, { workspace, width: 80, height: 12 }))
await screen.waitUntilRenderFlush()
await workspace.activateSkill('refunds')
await screen.waitUntilRenderFlush()
screen.unmount()
await workspace.close()
