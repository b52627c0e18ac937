import { ToolLoopAgent, type ModelMessage } from 'ai'
import { VirtualWorkspace } from 'loadout'
import { forAiSdk } from 'loadout/ai-sdk'
import { model } from './scripted-model.ts'
import { catalog } from './shop.ts'

const workspace = await VirtualWorkspace.open({ catalog })
const agent = new ToolLoopAgent({ model, ...forAiSdk(workspace) })

const messages: ModelMessage[] = [{ role: 'user', content: 'We are nearly out of lamps.' }]
const asking = await agent.generate({ messages })
messages.push(...asking.responseMessages)

for (const part of asking.content) {
  if (part.type !== 'tool-approval-request') continue
  console.log('asked:', part.toolCall.toolName, part.toolCall.input)
  const yes = { approvalId: part.approvalId, approved: true }
  messages.push({ role: 'tool', content: [{ type: 'tool-approval-response', ...yes }] })
}
console.log((await agent.generate({ messages })).text)
await workspace.close()
