import OpenAI from 'openai'
import type { ResponseInputItem } from 'openai/resources/responses/responses'
import { VirtualWorkspace } from 'loadout'
import { forOpenAI } from 'loadout/openai'
import { openScriptedServer } from './scripted-server.ts'
import { catalog } from './shop.ts'

// Without a key, this example runs against a server on this machine that says what it is told to.
const server = await openScriptedServer()
const client = new OpenAI({ apiKey: 'none', baseURL: server.url })

const workspace = await VirtualWorkspace.open({ catalog, agent: 'clerk', provider: 'openai' })
const conversation = forOpenAI(workspace, { model: 'gpt-5.4' })

const input: ResponseInputItem[] = [{ role: 'user', content: 'I want my money back for order 7.' }]
let { status, waiting, response } = await conversation.run(client, { input })
while (status === 'waiting') {
  for (const { tool, input: given, confirmation } of waiting) {
    console.log(`A person is asked about ${tool} ${JSON.stringify(given)}, and says yes.`)
    await workspace.approve(confirmation, { by: 'user' })
  }
  ;({ status, waiting, response } = await conversation.run(client, { input }))
}
console.log(response?.output_text)

await workspace.close()
await server.close()
