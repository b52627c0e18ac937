import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { type ModelMessage, ToolLoopAgent } from 'ai'
import { createCatalog, defineSkill, defineTool, VirtualWorkspace } from 'loadout'
import type { WorkspaceOptions } from 'loadout'
import { providerName } from 'loadout/adapter'
import { forAiSdk } from 'loadout/ai-sdk'
import { expect, test } from 'vitest'
import { recordingServer } from './recording-server.ts'
import { requestsOf, type Said, scriptedModel } from './scripted-model.ts'

const sent = providerName('fs.read_file', 'openai')

const readFile = defineTool({
  name: 'fs.read_file',
  description: 'Reads a file.',
  category: 'retrieval',
  execute: () => 'the text of the file',
})

const remove = defineTool({
  name: 'fs.remove',
  description: 'Removes a file.',
  requiresConfirmation: true,
  execute: () => 'removed',
})

const files = defineSkill({ name: 'files', description: 'For files.', tools: [readFile, remove] })

async function openFiles(options: Partial<WorkspaceOptions>) {
  const catalog = await createCatalog({ skills: [files] })
  return VirtualWorkspace.open({ catalog, exposure: 'append', ...options })
}

/** What the agent of a workspace sends and gets, with a model that says these things. */
async function converse(
  workspace: VirtualWorkspace,
  said: readonly Said[],
  messages: readonly ModelMessage[] = [{ role: 'user', content: 'Hello.' }],
) {
  const server = await recordingServer(said)
  const model = createOpenAICompatible({ name: 'any', baseURL: server.baseURL })('any')
  const agent = new ToolLoopAgent({ model, ...forAiSdk(workspace) })
  const result = await agent.generate({ messages: [...messages] })
  await server.close()
  const bodies = server.bodies.map((body) => JSON.parse(body) as Body)
  return { bodies, history: [...messages, ...result.responseMessages], result }
}

interface Body {
  readonly tools: readonly { readonly function: { readonly name: string } }[]
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
}

const toolNames = ({ tools }: Body) => tools.map((tool) => tool.function.name)

async function started(workspace: VirtualWorkspace) {
  const entries = await workspace.entries()
  return entries.flatMap(({ event }) => (event.type === 'call.started' ? event.tool : []))
}

test.each<Partial<WorkspaceOptions>>([{}, { provider: 'openai' }, { provider: 'compatible' }])(
  'under %j the SDK has names that the provider accepts, and calls run under those of the session',
  async (options) => {
    const workspace = await openFiles(options)
    const { bodies } = await converse(workspace, [
      [{ id: 'c1', tool: 'loadSkill', input: { skillName: 'files' } }],
      [{ id: 'c2', tool: sent, input: {} }],
      'Done.',
    ])
    expect(bodies.map(toolNames).at(-1)).toEqual(expect.arrayContaining(['loadSkill', sent]))
    expect(bodies.flatMap(toolNames).filter((name) => !/^[\w-]{1,64}$/u.test(name))).toEqual([])
    expect(JSON.stringify(bodies.at(-1)?.messages)).toContain('the text of the file')
    expect(await started(workspace)).toEqual(['loadSkill', 'fs.read_file'])
  },
)

test('a provider that accepts a name gets it unchanged', async () => {
  const workspace = await openFiles({ provider: 'google' })
  await workspace.activateSkill('files')
  const { bodies } = await converse(workspace, ['Hello.'])
  expect(bodies.flatMap(toolNames)).toContain('fs.read_file')
})

test('a stored conversation is sent again as it was', async () => {
  const workspace = await openFiles({ provider: 'openai' })
  await workspace.activateSkill('files')
  const first = await converse(workspace, [[{ id: 'c1', tool: sent, input: {} }], 'Done.'])
  const again = await converse(
    workspace,
    ['Bye.'],
    [...first.history, { role: 'user', content: 'Thanks.' }],
  )
  const before = JSON.stringify(first.bodies.at(-1)?.messages).slice(0, -1)
  expect(JSON.stringify(again.bodies[0]?.messages).startsWith(before)).toBe(true)
})

test('a person approves a call by the name that the provider got', async () => {
  const form = providerName('fs.remove', 'openai')
  const workspace = await openFiles({ provider: 'openai' })
  await workspace.activateSkill('files')
  const asked = await converse(workspace, [[{ id: 'c1', tool: form, input: {} }], 'Done.'])
  expect(workspace.state.confirmations).toMatchObject([{ tool: 'fs.remove', consent: 'pending' }])
  const request = asked.result.content.find((part) => part.type === 'tool-approval-request')
  const answer: ModelMessage = {
    role: 'tool',
    content: [
      {
        type: 'tool-approval-response',
        approvalId: request?.approvalId ?? '',
        approved: true,
      },
    ],
  }
  const { bodies } = await converse(workspace, ['Done.'], [...asked.history, answer])
  expect(JSON.stringify(bodies[0]?.messages)).toContain('removed')
  expect(await started(workspace)).toEqual(['fs.remove'])
})

test('a made-up name is refused as unknown', async () => {
  const workspace = await openFiles({ provider: 'openai' })
  const unknown = providerName('made.up', 'openai')
  const { bodies } = await converse(workspace, [[{ id: 'c1', tool: unknown, input: {} }], 'Sorry.'])
  expect(JSON.stringify(bodies[1]?.messages)).toContain(`No tool is named`)
})

test.each(['deferred', 'conversation'] as const)(
  'under %s a tool enters the conversation by the name that the provider got',
  async (exposure) => {
    const options = { provider: 'anthropic', exposure, discovery: {} } as const
    const workspace = await openFiles(options)
    const model = scriptedModel(
      [
        [{ id: 'c1', tool: 'tool_search', input: { query: 'read file', limit: 1 } }],
        [{ id: 'c2', tool: sent, input: {} }],
        'Done.',
      ],
      'anthropic.messages',
    )
    const settings = forAiSdk(workspace)
    const agent = new ToolLoopAgent({ model, ...settings })
    const question: ModelMessage = { role: 'user', content: 'Read it.' }
    const { responseMessages } = await agent.generate({ messages: [question] })
    expect(await started(workspace)).toEqual(['tool_search', 'fs.read_file'])

    // In another turn, the history still refers to it.
    await agent.generate({ messages: [question, ...responseMessages, question] })
    const [, second, , last] = requestsOf(model)
    for (const request of [second, last]) {
      const prompt = JSON.stringify(request?.prompt)
      expect(prompt).toMatch(new RegExp(`"(toolName|name)":"${sent}"`, 'u'))
      expect(prompt).not.toContain('fs.read_file')
      expect(request?.tools?.map(({ name }) => name)).not.toContain('fs.read_file')
    }
    if (exposure === 'deferred') {
      const deferred = last?.tools?.find(({ name }) => name === sent)
      expect(deferred).toMatchObject({ providerOptions: { anthropic: { deferLoading: true } } })
    }
  },
)

test('a tool that came and left within one step is known when the stored history is sent again', async () => {
  const workspace = await openFiles({ provider: 'anthropic', exposure: 'deferred' })
  const call = (id: string, tool: string) => ({ id, tool, input: { skillName: 'files' } })
  const model = scriptedModel(
    [
      [call('c1', 'loadSkill'), call('c2', 'unloadSkill')],
      [call('c3', 'loadSkill')],
      'Done.',
      'Bye.',
    ],
    'anthropic.messages',
  )
  const agent = new ToolLoopAgent({ model, ...forAiSdk(workspace) })
  const question: ModelMessage = { role: 'user', content: 'Read it.' }
  const { responseMessages } = await agent.generate({ messages: [question] })
  await agent.generate({ messages: structuredClone([question, ...responseMessages, question]) })
  const costs = (await workspace.entries()).flatMap(({ event }) =>
    event.type === 'step.begun' ? (event.cost ?? []) : [],
  )
  expect(costs).toHaveLength(4)
  expect(costs.at(-1)?.changed).toBe(null)
})
