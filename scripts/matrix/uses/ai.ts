import * as sdk from 'ai'
import { forAiSdk } from 'loadout/ai-sdk'
import { CALLS, open } from './loopback.ts'

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }

const answers = [
  ...CALLS.map(([toolCallId, toolName, input]) => ({
    content: [{ type: 'tool-call', toolCallId, toolName, input: JSON.stringify(input) }],
    finishReason: { unified: 'tool-calls' },
    usage,
    warnings: [],
  })),
  {
    content: [{ type: 'text', text: 'It is 42.' }],
    finishReason: { unified: 'stop' },
    usage,
    warnings: [],
  },
]

const model = {
  specificationVersion: 'v4',
  provider: 'none',
  modelId: 'none',
  supportedUrls: {},
  doGenerate: async () => answers.shift(),
} as unknown as sdk.LanguageModel

const workspace = await open()

try {
  const settings = forAiSdk(workspace)
  const agent = new sdk.ToolLoopAgent({ model, ...settings })
  const { steps, text } = await agent.generate({ prompt: 'Double 21.' })
  console.log(JSON.stringify([steps[1]?.toolResults[0]?.output, text]))
} catch (error) {
  console.log(JSON.stringify(String(error)))
}
