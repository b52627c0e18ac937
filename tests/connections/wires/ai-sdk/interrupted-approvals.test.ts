import { isStepCount, ToolLoopAgent, type ModelMessage } from 'ai'
import { createCatalog, createMemoryLog, defineTool, VirtualWorkspace } from 'loadout'
import { forAiSdk } from 'loadout/ai-sdk'
import { expect, test } from 'vitest'
import { scriptedModel } from './scripted-model.ts'

test('an approved call whose process died runs again under its id, and then gives its recorded result', async () => {
  const log = createMemoryLog()
  const ids: string[] = []
  const { promise: never } = Promise.withResolvers<void>()
  let run = 0
  /** A step in a process of its own, as a workflow engine makes it. */
  const step = async (messages: ModelMessage[], wait: () => Promise<void> | undefined) => {
    const cancel = defineTool({
      name: 'cancel',
      description: 'Cancels an order.',
      category: 'action',
      idempotent: true,
      requiresConfirmation: true,
      inputSchema: { type: 'object', properties: { order: { type: 'integer' } } },
      execute: async (_, { call }) => {
        ids.push(call.id)
        await wait()
        return { run: (run += 1) }
      },
    })
    const workspace = await VirtualWorkspace.open({
      catalog: await createCatalog({ tools: [cancel] }),
      log,
      session: 's',
      onlyProcess: true,
    })
    const model = scriptedModel(
      ids.length === 0 && messages.length === 1
        ? [[{ id: 'c1', tool: 'cancel', input: { order: 3 } }]]
        : ['Done.'],
    )
    const agent = new ToolLoopAgent({ model, ...forAiSdk(workspace), stopWhen: isStepCount(1) })
    const { responseMessages } = await agent.generate({ messages })
    return responseMessages
  }
  const question: ModelMessage = { role: 'user', content: 'Cancel order 3.' }
  const asked = await step([question], () => undefined)
  const request = asked
    .flatMap(({ role, content }) =>
      role === 'assistant' && typeof content !== 'string' ? content : [],
    )
    .find((part) => part.type === 'tool-approval-request')
  const { approvalId = '' } = request ?? {}
  const history: ModelMessage[] = [
    question,
    ...asked,
    { role: 'tool', content: [{ type: 'tool-approval-response', approvalId, approved: true }] },
  ]
  for (let death = 0; death < 2; death += 1) {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    void step(history, () => {
      begin()
      return never
    })
    await begun
  }
  const ended = await step(history, () => undefined)
  expect(await step(history, () => undefined)).toEqual(ended)
  expect(ids).toEqual(['c1', 'c1', 'c1'])
  expect(run).toBe(1)
})
