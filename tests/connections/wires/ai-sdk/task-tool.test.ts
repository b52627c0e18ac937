import { type ModelMessage, ToolLoopAgent } from 'ai'
import {
  createCatalog,
  createMemoryLog,
  defineAgent,
  defineTool,
  type EventLog,
  VirtualWorkspace,
} from 'loadout'
import { forAiSdk, type TaskMessages, type TaskProgress, taskTool } from 'loadout/ai-sdk'
import { expect, test } from 'vitest'
import { requestsOf, requestText, type Said, scriptedModel } from './scripted-model.ts'

/** A workspace with a tool that reads, and one that asks first. */
async function anOffice(deeds: string[], log: EventLog = createMemoryLog()) {
  const tool = (name: string, more: object) =>
    defineTool({
      name,
      description: `To ${name}.`,
      inputSchema: { type: 'object', properties: { file: { type: 'string' } } },
      execute: ({ file }: { file?: string }) => {
        deeds.push(`${name} ${file}`)
        return `${name}: ${file}`
      },
      ...more,
    } as Parameters<typeof defineTool>[0])
  const catalog = await createCatalog({
    agents: [defineAgent({ name: 'reader', description: 'Reads files.', prompt: 'You read.' })],
    tools: [
      tool('read', { category: 'retrieval' }),
      tool('shred', { category: 'action', risk: 'destructive' }),
    ],
  })
  return VirtualWorkspace.open({ catalog, log, session: 'office', metaTools: [] })
}

/** The messages of subagents, stored as JSON. */
function storeOf(stored: Map<string, string>): TaskMessages {
  return {
    read: async (session) => JSON.parse(stored.get(session) ?? 'null') ?? undefined,
    write: async (session, messages) => void stored.set(session, JSON.stringify(messages)),
  }
}

const delegate = { id: 't1', tool: 'task', input: { agent: 'reader', prompt: 'Sum up a.pdf.' } }
const read = { id: 'c1', tool: 'read', input: { file: 'a.pdf' } }
const shred = { id: 'c2', tool: 'shred', input: { file: 'a.pdf' } }

async function delegated(said: readonly Said[], deeds: string[] = []) {
  const workspace = await anOffice(deeds)
  const sub = scriptedModel(said)
  const model = scriptedModel([[delegate], 'All done.'])
  await workspace.registerTool(taskTool(workspace, { agents: ['reader'], model: sub }))
  const agent = new ToolLoopAgent({ model, ...forAiSdk(workspace) })
  return { workspace, agent, model, sub, deeds }
}

test('a subagent works in a child session, and the model of the parent gets its final text only', async () => {
  const { workspace, agent, model, sub, deeds } = await delegated([[read], 'It is short.'])
  const { text } = await agent.generate({ prompt: 'What is in a.pdf?' })
  expect(text).toBe('All done.')
  expect(deeds).toEqual(['read a.pdf'])
  const last = requestsOf(model).at(-1)
  expect(last && requestText(last).split('\n').at(-1)).toBe('tool answers t1: text "It is short."')
  expect(requestText(requestsOf(sub)[0] as never)).toContain('Sum up a.pdf.')
  expect(requestText(requestsOf(sub)[0] as never)).not.toContain('What is in')
  expect(workspace.state.children).toMatchObject([{ agent: 'reader', call: 't1', isOpen: false }])
  const { own, total, children } = workspace.figures.ledger().spent
  expect(children[0]?.spent.steps).toBe(2)
  expect(total.price).toBe(own.price + (children[0]?.spent.price ?? 0))
})

test('the progress of a subagent is streamed as preliminary results', async () => {
  const { agent } = await delegated([[read], 'It is short.'])
  const { stream } = await agent.stream({ prompt: 'What is in a.pdf?' })
  const outputs: unknown[] = []
  for await (const part of stream) {
    if (part.type !== 'tool-result') continue
    const { output } = part as { output: string | TaskProgress }
    outputs.push(typeof output === 'string' ? output : [output.status, output.text, output.calls])
  }
  const calls = [{ call: 'c1', tool: 'read' }]
  expect(outputs).toEqual([
    ['working', '', calls],
    ['working', 'It is short.', calls],
    // The SDK gives the last output once more, as the result.
    'It is short.',
    'It is short.',
  ])
})

/** Answers the next question of a workspace. */
function answerNext(workspace: VirtualWorkspace, answer: 'approve' | 'deny') {
  const stop = workspace.subscribe((_, entries) => {
    for (const { event } of entries) {
      if (event.type !== 'confirmation.asked') continue
      stop()
      void workspace[answer](event.id, { by: 'user' })
    }
  })
}

test.each([
  { answer: 'approve' as const, deeds: ['shred a.pdf'] },
  { answer: 'deny' as const, deeds: [] },
])(
  'a question of a subagent is one of the parent, and its run goes on after $answer',
  async (row) => {
    const { workspace, agent, sub, deeds } = await delegated([[shred], 'It is over.'])
    answerNext(workspace, row.answer)
    expect((await agent.generate({ prompt: 'Shred a.pdf.' })).text).toBe('All done.')
    expect(deeds).toEqual(row.deeds)
    expect(requestsOf(sub)).toHaveLength(2)
    expect(workspace.state.confirmations).toEqual([])
  },
)

test('a rule of the parent holds in its subagents', async () => {
  const { workspace, agent, sub, deeds } = await delegated([[read], 'I may not.'])
  await workspace.setPermissions({ deny: ['read'] })
  await agent.generate({ prompt: 'What is in a.pdf?' })
  expect(deeds).toEqual([])
  expect(requestsOf(sub)[0]?.tools?.map(({ name }) => name)).not.toContain('read')
})

test('an aborted run ends its subagent', async () => {
  const { workspace, agent } = await delegated([[shred], 'It is over.'])
  const stop = new AbortController()
  workspace.subscribe((_, entries) => {
    if (entries.some(({ event }) => event.type === 'confirmation.asked')) stop.abort()
  })
  await agent.generate({ prompt: 'Shred a.pdf.', abortSignal: stop.signal }).catch(() => undefined)
  expect(workspace.state.children).toMatchObject([{ isOpen: false }])
  expect(workspace.state.confirmations).toEqual([])
})

test('an agent that the catalog does not have is refused', async () => {
  const workspace = await anOffice([])
  expect(() => taskTool(workspace, { agents: ['writer'], model: scriptedModel([]) })).toThrow(
    expect.objectContaining({ code: 'AGENT_UNKNOWN' }),
  )
})

test('a task goes on in another process: with its question, its answer, and no call twice', async () => {
  const deeds: string[] = []
  const log = createMemoryLog()
  const stored = new Map<string, string>()
  const open = async (said: readonly Said[]) => {
    const workspace = await anOffice(deeds, log)
    const model = scriptedModel(said)
    const messages = storeOf(stored)
    await workspace.registerTool(taskTool(workspace, { agents: ['reader'], model, messages }))
    return { workspace, model }
  }
  const first = await open([[read], [shred]])
  const asked = new Promise((resolve) => {
    first.workspace.subscribe((_, entries) => {
      if (entries.some(({ event }) => event.type === 'confirmation.asked')) resolve(null)
    })
  })
  void first.workspace.callTool('task', delegate.input, { call: 't1', caller: 'model' })
  await asked
  await first.workspace.close()
  expect(first.workspace.state.children).toMatchObject([{ isOpen: true }])

  const second = await open(['It is over.'])
  const [question] = second.workspace.state.confirmations
  expect(question).toMatchObject({ tool: 'shred', consent: 'pending' })
  expect(await second.workspace.approve(question?.id ?? '')).toMatchObject({ ok: true })
  const answer = await second.workspace.callTool('task', delegate.input, { caller: 'model' })
  expect(answer).toMatchObject({ ok: true, data: 'It is over.' })
  expect(deeds).toEqual(['read a.pdf', 'shred a.pdf'])
  expect(second.workspace.state.children).toMatchObject([{ isOpen: false }])
  const [messages = ''] = [...stored.values()]
  expect((JSON.parse(messages) as ModelMessage[]).map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
    'assistant',
    'tool',
    'tool',
    'assistant',
  ])
})
