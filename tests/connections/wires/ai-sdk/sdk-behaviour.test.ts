import { dynamicTool, generateText, isStepCount, jsonSchema, streamText, type ToolSet } from 'ai'
import { expect, test } from 'vitest'
import { requestsOf, scriptedModel, type Said } from './scripted-model.ts'

// What the adapter needs of the SDK and no manual promises. A new version that fails here needs
// another way, not another expectation.

const tool = (does: () => unknown = () => 'done') =>
  dynamicTool({ inputSchema: jsonSchema({ type: 'object' }), execute: async () => does() })

type Given = Pick<Parameters<typeof generateText>[0], 'tools' | 'prepareStep' | 'repairToolCall'>

/** The requests of a run, streamed or not. */
async function requestsWith(said: readonly Said[], given: Given, isStreamed: boolean) {
  const model = scriptedModel(said)
  const settings = { ...given, model, prompt: 'Go on.', stopWhen: isStepCount(9) }
  if (isStreamed) await streamText(settings).consumeStream()
  else await generateText(settings)
  return requestsOf(model)
}

test.each([false, true])(
  'a key that comes during a run is sent from the next step on (streamed: %s)',
  async (isStreamed) => {
    const tools: ToolSet = { first: tool() }
    const requests = await requestsWith(
      [
        [{ id: 'c1', tool: 'first', input: {} }],
        [{ id: 'c2', tool: 'second', input: {} }],
        'Well.',
      ],
      {
        tools,
        prepareStep: ({ stepNumber }) => {
          if (stepNumber > 0) tools['second'] ??= tool()
          return { activeTools: Object.keys(tools) }
        },
      },
      isStreamed,
    )
    expect(requests.map(({ tools }) => tools?.map(({ name }) => name))).toEqual([
      ['first'],
      ['first', 'second'],
      ['first', 'second'],
    ])
    expect(JSON.stringify(requests[2]?.prompt)).toContain('"toolName":"second","output"')
  },
)

test.each([false, true])(
  'messages of one step are repeated in the next, followed by the answer (streamed: %s)',
  async (isStreamed) => {
    const requests = await requestsWith(
      [[{ id: 'c1', tool: 'first', input: {} }], 'Well.'],
      {
        tools: { first: tool() },
        prepareStep: ({ stepNumber, messages }) =>
          stepNumber > 0 ? {} : { messages: [{ role: 'user', content: 'Ours.' }, ...messages] },
      },
      isStreamed,
    )
    const [first, second] = requests.map(({ prompt }) => prompt.map((one) => JSON.stringify(one)))
    expect(first?.[0]).toContain('Ours.')
    expect(second?.slice(0, 2)).toEqual(first)
    expect(second).toHaveLength(4)
  },
)

test.each([false, true])(
  'a tool given to the copy that repairToolCall gets is called, and never sent (streamed: %s)',
  async (isStreamed) => {
    let calls = 0
    const requests = await requestsWith(
      [[{ id: 'c1', tool: 'unknown', input: {} }], 'Well.'],
      {
        tools: { first: tool() },
        prepareStep: () => ({ activeTools: ['first'] }),
        repairToolCall: async ({ toolCall, tools }) => {
          Object.assign(tools, { unknown: tool(() => (calls += 1)) })
          return toolCall
        },
      },
      isStreamed,
    )
    expect(calls).toBe(1)
    expect(requests.map(({ tools }) => tools?.map(({ name }) => name))).toEqual([
      ['first'],
      ['first'],
    ])
  },
)
