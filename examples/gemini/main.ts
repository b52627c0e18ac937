import { VirtualWorkspace } from 'loadout'
import { forGemini, type GeminiContent } from 'loadout/gemini'
import { openScriptedClient } from './scripted-client.ts'
import { catalog } from './shop.ts'

// Without a key, this example runs with a client on this machine that says what it is told to. With a key, it is
// `new GoogleGenAI({ apiKey })` of the package @google/genai.
const client = openScriptedClient()

const workspace = await VirtualWorkspace.open({ catalog, agent: 'clerk', provider: 'google' })
const gemini = forGemini(workspace, { model: 'gemini-3.8-flash' })

const contents: GeminiContent[] = [
  { role: 'user', parts: [{ text: 'I want my money back for order 7.' }] },
]
let { status, waiting, response } = await gemini.run(client, { contents })
while (status === 'waiting') {
  for (const { tool, input: given, confirmation } of waiting) {
    console.log(`A person is asked about ${tool} ${JSON.stringify(given)}, and says yes.`)
    await workspace.approve(confirmation, { by: 'user' })
  }
  ;({ status, waiting, response } = await gemini.run(client, { contents }))
}
console.log(response?.text)

await workspace.close()
