import { createMemoryLog, VirtualWorkspace } from 'loadout'
import {
  conversation,
  type ConversationForm,
  type ConversationOptions,
  providerTool,
  type ProviderTools,
  type RunOptions,
  type WireTypes,
} from 'loadout/adapter'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { aTool, aWorkspace } from '../a-workspace.ts'

/** A line of a chat that nobody else speaks: a text, calls, or the result of a call. */
type Line =
  | { readonly who: 'person' | 'model' | 'rules'; readonly says: string }
  | { readonly asks: readonly (readonly [id: string, tool: string, input: unknown])[] }
  | { readonly answers: string; readonly with: string; readonly failed: boolean }

interface Tiny extends WireTypes {
  item: Line
  request: { readonly tools: readonly object[]; readonly lines: readonly Line[] }
  answer: { readonly lines: readonly Line[]; readonly end: 'over' | 'short' | null }
  tool: ProviderTools['mcp']
  options: ConversationOptions
  kept: undefined
  client: (request: Tiny['request']) => Tiny['answer']
  run: RunOptions & { readonly lines: Line[] }
}

const TINY: ConversationForm<Tiny> = {
  options: {},
  ways: [],
  refusals: [],
  hasWholeAnswers: false,
  read(line) {
    if ('answers' in line)
      return { role: 'results', result: { call: line.answers, text: line.with } }
    if ('says' in line) return { role: ROLES[line.who] }
    return { role: 'assistant', calls: line.asks.map(([id, name, input]) => ({ id, name, input })) }
  },
  results: (results) =>
    results.map(({ id, text, isError }) => ({ answers: id, with: text, failed: isError })),
  text: (says) => ({ who: 'person', says }),
  tool: (tool) => providerTool(tool, 'mcp'),
  request: ({ step, tools, leading, messages }) => ({
    tools,
    lines: [{ who: 'rules', says: step.instructions }, ...leading, ...messages],
  }),
  answer({ lines, end }) {
    if (end === null) return null
    const calls = lines.flatMap((line) => ('asks' in line ? line.asks : []))
    return {
      status: end === 'short' ? 'cut' : 'done',
      calls: calls.map(([id, name, input]) => ({ id, name, input })),
      items(made) {
        const said = lines.filter((line) => !('asks' in line))
        const asks = made.map(({ id, name, input }) => [id, name, input] as const)
        return asks.length === 0 ? said : [...said, { asks }]
      },
    }
  },
  open: (client, { lines }) => ({ history: lines, send: async (request) => client(request) }),
}

const ROLES = { person: 'user', model: 'assistant', rules: 'system' } as const

async function aShop() {
  const done: string[] = []
  const inputSchema = z.object({ order: z.string() }) as never
  const tools = [
    aTool('find', { inputSchema, execute: () => done.push('find') && { state: 'paid' } }),
    aTool('refund', {
      inputSchema,
      requiresConfirmation: true,
      execute: () => done.push('refund') && 'paid back',
    }),
  ]
  const log = createMemoryLog()
  const workspace = await aWorkspace({}, { tools, log, session: 'shop' })
  return { done, workspace, log, tools }
}

/** Returns a client that gives these answers, one for each request, and notes the requests. */
function answering(...answers: readonly Tiny['answer'][]) {
  const left = answers.values()
  const requests: Tiny['request'][] = []
  const client = (request: Tiny['request']) => {
    requests.push(request)
    return left.next().value as Tiny['answer']
  }
  return { requests, client }
}

const asks = (...calls: readonly (readonly [string, string, unknown])[]): Tiny['answer'] => {
  return { lines: [{ asks: calls }], end: 'over' }
}

const says = (text: string): Tiny['answer'] => {
  return { lines: [{ who: 'model', says: text }], end: 'over' }
}

test('a wire of forty lines makes calls, asks a person, and goes on after the answer', async () => {
  const { workspace, done } = await aShop()
  const tiny = conversation(workspace, { provider: 'mcp', form: TINY })
  const lines: Line[] = [{ who: 'person', says: 'I want my money back.' }]
  const { client, requests } = answering(
    asks(['a', 'find', '{"order":"7"}'], ['b', 'refund', { order: '7' }]),
    says('It is paid back.'),
  )
  const asked = await tiny.run(client, { lines })
  expect([asked.status, asked.waiting.map(({ call }) => call), done]).toEqual([
    'waiting',
    ['b'],
    ['find'],
  ])
  expect(requests[0]?.tools.map((tool) => 'name' in tool && tool.name)).toContain('refund')
  await workspace.approve(asked.waiting[0]?.confirmation ?? '')
  const { status } = await tiny.run(client, { lines })
  expect([status, done]).toEqual(['done', ['find', 'refund']])
  expect(lines).toEqual([
    { who: 'person', says: 'I want my money back.' },
    {
      asks: [
        ['a', 'find', { order: '7' }],
        ['b', 'refund', { order: '7' }],
      ],
    },
    { answers: 'a', with: '{"state":"paid"}', failed: false },
    { answers: 'b', with: 'paid back', failed: false },
    { who: 'model', says: 'It is paid back.' },
  ])
  const [, ...sent] = requests[1]?.lines ?? []
  // The text about tools that the workspace adds comes before the first message of the user.
  expect(sent.slice(1)).toEqual(lines.slice(0, -1))
})

test('a call whose process ended is sent with a result that says so, and is not made again', async () => {
  const { workspace, done } = await aShop()
  const tiny = conversation(workspace, { provider: 'mcp', form: TINY })
  const lines: Line[] = [
    { who: 'person', says: 'Where is order 7?' },
    { asks: [['a', 'find', { order: '7' }]] },
    { who: 'person', says: 'Hello?' },
  ]
  const { client, requests } = answering(says('I do not know.'))
  expect((await tiny.run(client, { lines })).status).toBe('done')
  expect([done, requests[0]?.lines[3]]).toEqual([
    [],
    { answers: 'a', with: expect.stringContaining('ABORTED') as string, failed: true },
  ])
})

test('an answer that was cut makes only its complete calls, and one without an end none', async () => {
  const { workspace, done } = await aShop()
  const tiny = conversation(workspace, { provider: 'mcp', form: TINY })
  const calls = asks(['a', 'find', '{"order":"7"}'], ['b', 'find', '{"ord'])
  const cut = await tiny.answer({ ...calls, end: 'short' })
  expect([cut.status, done, cut.items.length]).toEqual(['cut', ['find'], 3])
  expect(cut.items[2]).toEqual({
    answers: 'b',
    with: expect.stringContaining('The answer ended inside this call') as string,
    failed: true,
  })
  const broken = await tiny.answer({ ...calls, end: null })
  expect([broken.status, broken.items, done]).toEqual(['failed', [], ['find']])
})

test('texts that were cut inside a character, and names that no tool can have, go back legal', async () => {
  const { workspace } = await aShop()
  const tiny = conversation(workspace, { provider: 'mcp', form: TINY })
  const { items } = await tiny.answer(asks(['a', 'fi nd', { order: '7\ud83c' }]))
  expect(items[0]).toEqual({
    asks: [['a', expect.stringMatching(/^fi_nd__[0-9a-v]{20}$/u) as string, { order: '7\ufffd' }]],
  })
})

test('a question is answered in another process', async () => {
  const { workspace, log, tools } = await aShop()
  const first = conversation(workspace, { provider: 'mcp', form: TINY })
  const lines: Line[] = [{ who: 'person', says: 'I want my money back.' }]
  const { client } = answering(asks(['b', 'refund', { order: '7' }]), says('Done.'))
  await first.run(client, { lines })
  await workspace.close()
  const { catalog } = workspace
  const later = await VirtualWorkspace.open({ catalog, tools, log, session: 'shop' })
  const [question] = later.state.confirmations
  await later.approve(question?.id ?? '')
  const second = conversation(later, { provider: 'mcp', form: TINY })
  expect((await second.run(client, { lines })).status).toBe('done')
  expect(lines[2]).toEqual({ answers: 'b', with: 'paid back', failed: false })
})

test.each([
  ['a misspelt option', { provider: 'mcp', form: TINY, options: { trimm: {} } }],
  ['null for options', { provider: 'mcp', form: TINY, options: null }],
  ['no form', { provider: 'mcp' }],
  ['no provider', { form: TINY }],
])('%s is refused', async (_, given) => {
  const { workspace } = await aShop()
  expect(() => conversation(workspace, given as never)).toThrow(
    expect.objectContaining({ code: 'OPTIONS_INVALID' }) as Error,
  )
})
