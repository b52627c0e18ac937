import { ToolLoopAgent, type ModelMessage, type ToolApprovalResponse } from 'ai'
import { createCatalog, createMemoryApprovals, defineTool, VirtualWorkspace } from 'loadout'
import { answerApprovals, forAiSdk, type AiSdkOptions } from 'loadout/ai-sdk'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { scriptedModel } from './scripted-model.ts'

const shred = (call: string, file: string) => ({ id: call, tool: 'shred', input: { file } })

function shredder(done: string[], description = 'Destroys a file.') {
  return defineTool({
    name: 'shred',
    description,
    requiresConfirmation: true,
    input: z.object({ file: z.string() }),
    run: ({ file }) => {
      done.push(file)
      return `shredded ${file}`
    },
  })
}

async function anOffice(options: AiSdkOptions, calls: readonly ReturnType<typeof shred>[]) {
  const done: string[] = []
  const workspace = await VirtualWorkspace.open({
    catalog: await createCatalog({}),
    metaTools: [],
    tools: [shredder(done)],
    approvals: createMemoryApprovals(),
  })
  const model = scriptedModel([...calls.map((one) => [one]), 'Done.', 'Done.'])
  const agent = new ToolLoopAgent({ model, ...forAiSdk(workspace, options) })
  const run = async (messages: ModelMessage[]) => [
    ...messages,
    ...(await agent.generate({ messages })).responseMessages,
  ]
  return { workspace, done, run }
}

/** The answer to the last question of a conversation. */
function yes(messages: readonly ModelMessage[]): ModelMessage {
  const requests = messages.flatMap(({ role, content }) =>
    role === 'assistant' && typeof content !== 'string'
      ? content.filter((part) => part.type === 'tool-approval-request')
      : [],
  )
  const approvalId = requests.at(-1)?.approvalId ?? ''
  const response: ToolApprovalResponse = {
    type: 'tool-approval-response',
    approvalId,
    approved: true,
  }
  return { role: 'tool', content: [response] }
}

test.each([
  { remember: 'call', ran: ['a'] },
  { remember: 'session', ran: ['a', 'b'] },
  { remember: 'digest', ran: ['a', 'b'] },
] as const)('a yes in the conversation holds for a $remember', async ({ remember, ran }) => {
  const { done, run } = await anOffice({ remember }, [shred('c1', 'a'), shred('c2', 'b')])
  const question = await run([{ role: 'user', content: 'Destroy both.' }])
  expect(done).toEqual([])
  await run([...question, yes(question)])
  expect(done).toEqual(ran)
})

test('a question about the tool as it was is no question about the tool as it is', async () => {
  const { workspace, done, run } = await anOffice({}, [shred('c1', 'a')])
  const question = await run([{ role: 'user', content: 'Destroy a.' }])
  const [asked] = workspace.state.confirmations
  await workspace.approve(asked?.id ?? '', { by: 'user' })
  expect(answerApprovals(workspace, question)).not.toBeNull()
  await workspace.registerTool(shredder(done, 'Destroys everything.'), { replace: true })
  expect(answerApprovals(workspace, question)).toBeNull()
})
