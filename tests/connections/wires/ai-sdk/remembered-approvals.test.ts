import { ToolLoopAgent, type ModelMessage, type ToolApprovalResponse } from 'ai'
import {
  createCatalog,
  createMemoryApprovals,
  defineSkill,
  defineTool,
  VirtualWorkspace,
} from 'loadout'
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
    inputSchema: z.object({ file: z.string() }),
    execute: ({ file }) => {
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

test('a question about the earlier version of a tool does not cover the current one', async () => {
  const { workspace, done, run } = await anOffice({}, [shred('c1', 'a')])
  const question = await run([{ role: 'user', content: 'Destroy a.' }])
  const [asked] = workspace.state.confirmations
  await workspace.approve(asked?.id ?? '', { by: 'user' })
  expect(answerApprovals(workspace, question)).not.toBeNull()
  await workspace.registerTool(shredder(done, 'Destroys everything.'), { replace: true })
  expect(answerApprovals(workspace, question)).toBeNull()
})

test.each([
  { title: 'unchanged', input: { file: 'a' } },
  { title: 'as the handler gets them', input: { file: ' a ' } },
])('a rule about arguments, $title, makes the SDK ask', async ({ input }) => {
  const done: string[] = []
  const workspace = await VirtualWorkspace.open({
    catalog: await createCatalog({}),
    metaTools: [],
    tools: [
      defineTool({
        name: 'shred',
        description: 'Destroys a file.',
        inputSchema: z.object({ file: z.string().trim() }),
        execute: ({ file }) => {
          done.push(file)
          return 'done'
        },
      }),
    ],
    policy: { permissions: { ask: [{ tool: 'shred', where: { file: 'a' } }] } },
  })
  const other = { ...shred('c0', 'b') }
  const model = scriptedModel([[other], [{ ...shred('c1', ''), input }], 'Done.'])
  const agent = new ToolLoopAgent({ model, ...forAiSdk(workspace) })
  const messages: ModelMessage[] = [{ role: 'user', content: 'Destroy both.' }]
  const question = [...messages, ...(await agent.generate({ messages })).responseMessages]
  expect(done).toEqual(['b'])
  await agent.generate({ messages: [...question, yes(question)] })
  expect(done).toEqual(['b', 'a'])
})

test('a yes that cannot be remembered is one to the call it was given for', async () => {
  const catalog = await createCatalog({ skills: [defineSkill({ name: 's', description: 'S.' })] })
  const workspace = await VirtualWorkspace.open({
    catalog,
    metaTools: ['loadSkill'],
    policy: { permissions: { ask: ['loadSkill'] } },
  })
  const load = { id: 'c1', tool: 'loadSkill', input: { skillName: 's' } }
  const model = scriptedModel([[load], 'Done.'])
  const agent = new ToolLoopAgent({ model, ...forAiSdk(workspace, { remember: 'session' }) })
  const messages: ModelMessage[] = [{ role: 'user', content: 'Load it.' }]
  const question = [...messages, ...(await agent.generate({ messages })).responseMessages]
  await agent.generate({ messages: [...question, yes(question)] })
  expect(workspace.skillManager.getActiveSkills().map(({ name }) => name)).toEqual(['s'])
  expect(workspace.state.approvals).toEqual([])
})
