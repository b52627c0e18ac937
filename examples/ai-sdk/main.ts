import { ToolLoopAgent, type ModelMessage } from 'ai'
import { createCatalog, defineAgent, defineSkill, defineTool, VirtualWorkspace } from 'loadout'
import { forAiSdk } from 'loadout/ai-sdk'
import { z } from 'zod'
import { scriptedModel } from './scripted-model.ts'

const findOrder = defineTool({
  name: 'findOrder',
  description: 'Find an order by its number.',
  category: 'retrieval',
  inputSchema: z.object({ order: z.string() }),
  execute: ({ order }) => ({ order, paid: 42 }),
})
const refund = defineTool({
  name: 'refund',
  description: 'Pay an order back.',
  category: 'action',
  risk: 'destructive',
  requiresConfirmation: true,
  inputSchema: z.object({ order: z.string() }),
  execute: ({ order }) => ({ order, paidBack: 42 }),
})
const refunds = defineSkill({
  name: 'refunds',
  description: 'Pays orders back.',
  instructions: 'Find the order before you pay it back.',
  tools: [findOrder, refund],
})
const clerk = defineAgent({ name: 'clerk', prompt: 'You help the customers of a shop.' })
const catalog = await createCatalog({ skills: [refunds], agents: [clerk] })

// A real agent has a real model here; this one says what it is told to.
const model = scriptedModel(
  [
    { tool: 'refund', input: { order: '7' } },
    { tool: 'loadSkill', input: { skillName: 'refunds' } },
    { tool: 'findOrder', input: { order: '7' } },
    { tool: 'refund', input: { order: '7' } },
    'Order 7 was paid back.',
  ],
  (tools) => console.log(`offered: ${tools.join(', ')}`),
)

// One workspace and one agent for a conversation.
const workspace = await VirtualWorkspace.open({ catalog, agent: 'clerk' })
const agent = new ToolLoopAgent({ model, ...forAiSdk(workspace) })

const messages: ModelMessage[] = [{ role: 'user', content: 'I want my money back for order 7.' }]
const asking = await agent.generate({ messages })
messages.push(...asking.responseMessages)

// The run ended with a question; whoever may answer it does, and the run goes on.
for (const part of asking.content) {
  if (part.type !== 'tool-approval-request') continue
  const { toolName, input } = part.toolCall
  console.log(`asked: ${toolName} ${JSON.stringify(input)}`)
  const answer = {
    type: 'tool-approval-response',
    approvalId: part.approvalId,
    approved: true,
  } as const
  messages.push({ role: 'tool', content: [answer] })
}
const { text } = await agent.generate({ messages })
console.log(text)

for (const { seq, event } of await workspace.entries()) {
  if (event.type === 'command.refused')
    console.log(`#${seq} ${event.subject} refused: ${event.code}`)
  if (event.type === 'confirmation.approved') console.log(`#${seq} approved`)
  if (event.type === 'call.started') console.log(`#${seq} ${event.tool} called`)
}
await workspace.close()
