import type { ModelMessage } from 'ai'
import { createCatalog, defineTool, VirtualWorkspace } from 'loadout'
import { forAiSdk } from 'loadout/ai-sdk'
import { expect, test } from 'vitest'
import { scriptedModel } from './scripted-model.ts'

const look = defineTool({
  name: 'look',
  description: 'Looks something up.',
  category: 'retrieval',
  inputSchema: { type: 'object' },
  execute: () => 'Found.',
})

const catalog = await createCatalog({ tools: [look] })

/** Returns the messages of turns with a call in each, and a last question. Each look at a content calls `note`. */
function turns(count: number, note: () => void): ModelMessage[] {
  const messages = Array.from({ length: count }, (_, turn): ModelMessage[] => {
    const call = { toolCallId: `c${turn}`, toolName: 'look' }
    return [
      { role: 'user', content: `Question ${turn}` },
      { role: 'assistant', content: [{ type: 'tool-call', ...call, input: {} }] },
      {
        role: 'tool',
        content: [{ type: 'tool-result', ...call, output: { type: 'text', value: 'Found.' } }],
      },
      { role: 'assistant', content: `Answer ${turn}` },
    ]
  })
  return [...messages.flat(), { role: 'user', content: 'And now?' } as const].map((message) => {
    const { content } = message
    return Object.defineProperty({ ...message }, 'content', {
      get: () => {
        note()
        return content
      },
      enumerable: true,
    })
  })
}

/** Returns how often the first step of a run looks at the content of messages. */
async function looksOf(count: number): Promise<number> {
  let looks = 0
  const workspace = await VirtualWorkspace.open({ catalog })
  const { prepareStep } = forAiSdk(workspace)
  const messages = turns(count, () => {
    looks += 1
  })
  const step = { stepNumber: 0, model: scriptedModel([]), messages }
  await prepareStep(step as unknown as Parameters<typeof prepareStep>[0])
  await workspace.close()
  return looks
}

test('a step looks at each message of a long history as often as at each of a short one', async () => {
  const [few, some, many] = [await looksOf(10), await looksOf(20), await looksOf(160)]
  const perTurn = (some - few) / 10
  expect(many).toBe(few + 150 * perTurn)
  // Four messages, which the checks of the adapter pass over some times each.
  expect(perTurn).toBeLessThanOrEqual(4 * 8)
})
