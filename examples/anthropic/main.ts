import { Anthropic } from '@anthropic-ai/sdk'
import type { BetaMessageParam } from '@anthropic-ai/sdk/resources/beta/messages/messages'
import { VirtualWorkspace } from 'loadout'
import { forAnthropic } from 'loadout/anthropic'
import { catalog } from './shop.ts'
import { openScriptedServer } from './scripted-server.ts'

// Without a key, this example runs against a server on this machine that says what it is told to.
const server = await openScriptedServer()
const client = new Anthropic({ apiKey: 'none', baseURL: server.url })

const workspace = await VirtualWorkspace.open({ catalog, agent: 'clerk', provider: 'anthropic' })
const conversation = forAnthropic(workspace, { model: 'claude-opus-4-8' })

const messages: BetaMessageParam[] = [{ role: 'user', content: 'Pay order 7 back, please.' }]
let { status, waiting, response } = await conversation.run(client, { messages, max_tokens: 4096 })
while (status === 'waiting') {
  for (const { tool, input, confirmation } of waiting) {
    console.log(`A person is asked about ${tool} ${JSON.stringify(input)}, and says yes.`)
    await workspace.approve(confirmation, { by: 'user' })
  }
  ;({ status, waiting, response } = await conversation.run(client, { messages, max_tokens: 4096 }))
}
console.log(response?.content.map((block) => (block.type === 'text' ? block.text : '')).join(''))

await workspace.close()
await server.close()
