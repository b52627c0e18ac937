import {
  createUIMessageStream,
  readUIMessageStream,
  ToolLoopAgent,
  type UIMessage,
  type UIMessageChunk,
} from 'ai'
import { forAiSdk, workspacePart, type WorkspaceDataParts } from 'loadout/ai-sdk'
import { createCatalog, defineTool } from 'loadout'
import { expect, test } from 'vitest'
import { openOffice } from './an-office.ts'
import { scriptedModel } from './scripted-model.ts'

type Message = UIMessage<unknown, WorkspaceDataParts>

test('a chat UI gets tools and skills with statuses and reasons, and the cost of the last step', async () => {
  const workspace = await openOffice([], { provider: 'anthropic' })
  const model = scriptedModel([
    [{ id: 'c1', tool: 'loadSkill', input: { skillName: 'pdf' } }],
    'It is loaded.',
  ])
  const agent = new ToolLoopAgent({ model, ...forAiSdk(workspace) })
  const stream = createUIMessageStream<Message>({
    execute: async ({ writer }) => {
      writer.write(workspacePart(workspace))
      await (await agent.stream({ prompt: 'Load it.' })).consumeStream()
      writer.write(workspacePart(workspace))
    },
  })
  // As over the network: every chunk is JSON.
  const sent = stream.pipeThrough(
    new TransformStream<UIMessageChunk, UIMessageChunk>({
      transform: (chunk, controller) => controller.enqueue(JSON.parse(JSON.stringify(chunk))),
    }),
  )
  let last: Message | undefined
  for await (const message of readUIMessageStream<Message>({ stream: sent })) last = message
  const parts = (last?.parts ?? []).flatMap((part) =>
    part.type === 'data-loadout' ? part.data : [],
  )
  expect(parts).toHaveLength(1)
  const [data] = parts
  expect(data).toEqual(workspacePart(workspace).data)
  expect(data?.step).toBe(2)
  expect(data?.cost).toEqual(workspace.state.cost)
  expect(data?.calls).toMatchObject([
    { call: 'c1', error: null, meta: { tool: 'loadSkill', seq: expect.any(Number) }, intents: [] },
  ])
  expect(data?.tools.filter(({ name }) => ['readPdf', 'shred'].includes(name)))
    .toMatchInlineSnapshot(`
    [
      {
        "fix": "",
        "name": "readPdf",
        "reasons": [
          "Skill "pdf" was activated by the model (call c1).",
        ],
        "status": "available",
      },
      {
        "fix": "Activate the skill "bin".",
        "name": "shred",
        "reasons": [
          "Skill "bin" has not been activated since the session opened.",
        ],
        "status": "skill-inactive",
      },
    ]
  `)
  expect(data?.skills).toMatchInlineSnapshot(`
    [
      {
        "fix": "Activate the skill "bin".",
        "name": "bin",
        "reasons": [
          "Skill "bin" has not been activated since the session opened.",
        ],
        "status": "inactive",
      },
      {
        "fix": "",
        "name": "pdf",
        "reasons": [
          "Skill "pdf" was activated by the model (call c1).",
        ],
        "status": "active",
      },
    ]
  `)
})

test('before the first step there is no cost', async () => {
  const { data } = workspacePart(await openOffice())
  expect(data).toMatchObject({ step: 0, cost: null })
})

test('a tool whose name the provider does not take has the name of its parts', async () => {
  const text = () => 'text'
  const tools = ['fs.read', 'read'].map((name) => {
    return defineTool({ name, description: 'Read.', category: 'retrieval', execute: text })
  })
  const catalog = await createCatalog({ tools })
  const workspace = await openOffice([], { catalog, agent: undefined as never })
  const { data } = workspacePart(workspace)
  const sent = new Map(data.tools.map(({ name, sentAs }) => [name, sentAs]))
  const sentAs = sent.get('fs.read')
  expect(sent.get('read')).toBeUndefined()
  expect(sentAs).toMatch(/^[\w-]{1,64}$/u)
  const model = scriptedModel([[{ id: 'c1', tool: sentAs ?? '', input: {} }], 'Read.'])
  const agent = new ToolLoopAgent({ model, ...forAiSdk(workspace) })
  const { steps } = await agent.generate({ prompt: 'Read it.' })
  expect(steps[0]?.toolResults).toMatchObject([{ toolName: sentAs, output: 'text' }])
  expect(workspacePart(workspace).data.calls).toMatchObject([{ meta: { tool: 'fs.read' } }])
})
