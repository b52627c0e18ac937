import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { Anthropic } from '@anthropic-ai/sdk'
import {
  generateText,
  isStepCount,
  type LanguageModel,
  type ModelMessage,
  streamText,
  tool,
} from 'ai'
import fc from 'fast-check'
import {
  createCatalog,
  createMemoryLog,
  defineComponent,
  defineSkill,
  defineTool,
  ErrorType,
  succeed,
  ToolError,
  toolsFromAiSdk,
  VirtualWorkspace,
} from 'loadout'
import { answerApprovals, forAiSdk } from 'loadout/ai-sdk'
import { forAnthropic } from 'loadout/anthropic'
import { forChatCompletions, forOpenAI } from 'loadout/openai'
import { createHash } from 'node:crypto'
import OpenAI from 'openai'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { META_TOOL_NAMES } from '../../../src/workspace/offer/meta-tools/meta-tool-name.ts'
import type { Answer } from '../../wires/server/answer.ts'
import { openWireServer } from '../../wires/server/open-wire-server.ts'
import { connected, endpointFor } from '../mcp/server/served.ts'

/** A text with halves of surrogate pairs at any place, next to whole pairs and other letters. */
const broken = fc
  .array(fc.constantFrom('a', 'é', ' ', '\ud83d', '\ude00', '\u{1f600}', '\udfff\ud800'), {
    minLength: 1,
    maxLength: 8,
  })
  .map((units) => units.join(''))
  .filter((text) => !text.isWellFormed())

/** Returns the texts and names of members that are not well formed. */
function halves(value: unknown, at = ''): readonly string[] {
  if (typeof value === 'string')
    return value.isWellFormed() ? [] : [`${at}: ${JSON.stringify(value)}`]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, one]) => [
    ...(key.isWellFormed() ? [] : [`the name at ${at}`]),
    ...halves(one, `${at}/${key}`),
  ])
}

/** Half of a pair as JSON escapes it, also in JSON within JSON. */
const ESCAPED = /.{0,40}\\ud[89a-f][\da-f]{2}/iu

/** The ways in which a tool answers with a text. */
const ANSWERS: Readonly<Record<string, (text: string) => unknown>> = {
  text: (text) => text,
  data: (text) => ({
    [text]: text,
    list: [text, { [`${text}x`]: text }],
    pages: [{ title: text }],
  }),
  parts: (text) =>
    succeed(
      { [text]: text },
      {
        content: [
          { type: 'text', text },
          { type: 'image', mediaType: 'image/png', data: Buffer.from('x'), name: `${text}.png` },
          { type: 'resource', uri: 'shop://1', text, name: text },
          { type: 'resource-link', uri: 'shop://2', description: text },
        ],
      },
    ),
  failure: (text) => ({
    ok: false,
    error: { type: 'PERMANENT', message: text, details: { [text]: text } },
  }),
  throws: (text) => {
    throw new Error(text)
  },
  refuses: (text) => {
    throw new ToolError(ErrorType.CONFLICT, text, { details: { [text]: text } })
  },
}

const KINDS = Object.keys(ANSWERS)

async function aSession(text: string) {
  const hash = `sha256:${createHash('sha256').update(text).digest('hex')}` as const
  const say = defineTool({
    name: 'say',
    description: `Say something: ${text}`,
    category: 'retrieval',
    inputSchema: z.object({ kind: z.enum(KINDS), note: z.string().describe(text).optional() }),
    inputExamples: [{ input: { kind: 'text', note: text } }],
    extraction: { path: 'pages', isArray: true, type: 'page', nameField: 'title' },
    execute: ({ kind }) => ANSWERS[kind]?.(text),
  })
  const ask = defineTool({
    name: 'ask',
    description: 'Ask first.',
    requiresConfirmation: true,
    inputSchema: z.looseObject({}),
    preview: () => text,
    execute: () => text,
  })
  const stream = defineTool({
    name: 'stream',
    description: 'Stream.',
    inputSchema: z.object({}),
    async *execute(_input, context) {
      context.progress({ message: text })
      yield { [text]: text }
      yield text
    },
  })
  const note = defineTool({
    name: 'note',
    description: 'Note.',
    inputSchema: z.object({}),
    execute: async (_, context) => {
      await context.update(() => ({ [text]: text }))
      return 'noted'
    },
  })
  const pad = defineComponent({
    key: 'pad',
    initialState: { text },
    tools: [note],
    panel: (state) => ({ title: text, lines: [text, JSON.stringify(state)] }),
  })
  const skill = defineSkill({
    name: 'reading',
    description: `Reads. ${text}`,
    instructions: `Read. ${text}`,
    files: [{ path: 'notes.md', hash, size: 1, description: text }],
    readFile: async () => text,
  })
  const catalog = await createCatalog({ tools: [say, ask, stream], skills: [skill] })
  const log = createMemoryLog()
  const sdk = toolsFromAiSdk({
    own: tool({ description: text, inputSchema: z.object({}), execute: () => ({ [text]: text }) }),
    shown: tool({
      inputSchema: z.object({}),
      execute: () => text,
      toModelOutput: ({ output }) => ({ type: 'content', value: [{ type: 'text', text: output }] }),
    }),
    fails: tool({
      inputSchema: z.object({}),
      execute: (): string => {
        throw new Error(text)
      },
    }),
  })
  const workspace = await VirtualWorkspace.open({
    catalog,
    log,
    session: 's',
    principal: { id: text },
    components: [pad],
    tools: sdk,
    metaTools: META_TOOL_NAMES,
    confirmations: { keepArguments: true },
  })
  onTestFinished(() => workspace.close())
  return { workspace, log, catalog, sdk, pad }
}

/** The answers of a model that writes halves of pairs into everything. */
function modelAnswers(text: string): readonly Answer[] {
  const call = (name: string, input: object = {}) => ({ name, input })
  return [
    {
      text: `Well ${text}`,
      // No server writes such a name.
      faulty: true,
      calls: [
        ...KINDS.map((kind) => call('say', { kind, note: text })),
        call('stream'),
        call('note'),
        call('own'),
        call('shown'),
        call('fails'),
        call(`nobody ${text}`, { [text]: text }),
        call('loadSkill', { skillName: 'reading' }),
        call('tool_search', { query: `say ${text}` }),
      ],
    },
    [
      call('loadSkillFile', { skillName: 'reading', path: 'notes.md' }),
      call('ask', { [text]: text, [`${text}x`]: 1 }),
    ],
    'Done.',
    `Done ${text}`,
    'Done.',
  ]
}

type Run = (history: unknown[]) => Promise<unknown>

type Connect = (url: string, workspace: VirtualWorkspace, text: string) => Run

const watch = () => undefined

function viaSdk(modelAt: (url: string) => LanguageModel, streamed: boolean): Connect {
  return (url, workspace, text) => {
    const settings = forAiSdk(workspace)
    return async (history) => {
      const messages = history as ModelMessage[]
      const answer = answerApprovals(workspace, messages)
      if (answer !== null) messages.push(answer)
      const options = {
        model: modelAt(url),
        ...settings,
        instructions: `Help. ${text}`,
        messages: [...messages],
        maxRetries: 0,
        stopWhen: isStepCount(9),
      }
      if (!streamed) return messages.push(...(await generateText(options)).responseMessages)
      const result = streamText(options)
      await result.consumeStream()
      return messages.push(...(await result.responseMessages))
    }
  }
}

const settings = (url: string) => ({ apiKey: 'k', baseURL: `${url}/v1`, maxRetries: 0 })

const WIRES: Readonly<Record<string, Connect>> = {
  'OpenAI Responses': (url, workspace, text) => {
    const openai = forOpenAI(workspace, { model: 'gpt-5.4', instructions: `Help. ${text}` })
    const client = new OpenAI(settings(url))
    return (input) => openai.run(client, { input: input as never[] })
  },
  'OpenAI Responses, streamed': (url, workspace, text) => {
    const openai = forOpenAI(workspace, { store: false, instructions: `Help. ${text}` })
    const client = new OpenAI(settings(url))
    return (input) => openai.run(client, { input: input as never[], onEvent: watch })
  },
  'Chat Completions': (url, workspace) => {
    const chat = forChatCompletions(workspace)
    const client = new OpenAI(settings(url))
    return (messages) => chat.run(client, { model: 'm', messages: messages as never[] })
  },
  Anthropic: (url, workspace, text) => {
    const anthropic = forAnthropic(workspace, { model: 'claude-opus-4-8', system: `Help. ${text}` })
    const client = new Anthropic({ apiKey: 'k', baseURL: url, maxRetries: 0 })
    return (messages) => anthropic.run(client, { messages: messages as never[], max_tokens: 99 })
  },
  'AI SDK, openai.responses': viaSdk((url) => createOpenAI(settings(url))('gpt-5.4'), false),
  'AI SDK, openai.chat, streamed': viaSdk((url) => createOpenAI(settings(url)).chat('m'), true),
  'AI SDK, anthropic': viaSdk((url) => createAnthropic(settings(url))('claude-opus-4-8'), false),
  'AI SDK, another server': viaSdk(
    (url) => createOpenAICompatible({ name: 'local', baseURL: `${url}/v1` })('m'),
    true,
  ),
}

test.each(Object.keys(WIRES))(
  '%s: no request and no entry has half of a surrogate pair, whatever texts come',
  async (wire) => {
    await fc.assert(
      fc.asyncProperty(broken, async (text) => {
        const { workspace, log } = await aSession(text)
        const server = await openWireServer({ answers: modelAnswers(text) })
        const run = WIRES[wire]?.(server.url, workspace, text) as Run
        const history: unknown[] = [{ role: 'user', content: `Hello ${text}` }]
        await workspace.setSummary(`So far: ${text}`)
        await run(history)
        const [question] = workspace.state.confirmations
        await workspace.approve(question?.id ?? '', { by: 'user' })
        await run(history)
        history.push({ role: 'user', content: [{ type: inputType(wire), text }] })
        await run(history)
        expect(server.requests.length).toBeGreaterThan(3)
        for (const { bytes, body } of server.requests) {
          expect(halves(body)).toEqual([])
          expect(ESCAPED.exec(bytes.toString())?.[0]).toBeUndefined()
        }
        const entries = await workspace.entries()
        const started = entries.flatMap(({ event }) =>
          event.type === 'call.started' ? event.tool : [],
        )
        expect(started).toHaveLength(KINDS.length + 9)
        expect(halves(entries)).toEqual([])
        expect(halves(await log.read('s'))).toEqual([])
        expect(halves(workspace.prompt().text)).toEqual([])
        await server.close()
        await workspace.close()
      }),
      { numRuns: 4 },
    )
  },
)

function inputType(wire: string): string {
  return wire.startsWith('OpenAI') ? 'input_text' : 'text'
}

test('what is whole in a text stays, and names that become equal keep their values', async () => {
  const { workspace } = await aSession('cut \ud83d')
  const response = await workspace.callTool('say', { kind: 'data' })
  expect(response).toMatchObject({ ok: true, data: { 'cut \ufffd': 'cut \ufffd' } })
  const both = defineTool({
    name: 'both',
    description: 'Both.',
    inputSchema: z.looseObject({}),
    execute: (input) => ({ '\ud83d': 1, '\ude00': 2, '\ufffd': 3, '\u{1f600}': 4, ...input }),
  })
  await workspace.registerTool(both)
  expect(await workspace.callTool('both', { a: { '\ud800': 5, '\udfff': 6 } })).toMatchObject({
    data: {
      '\ufffd': 1,
      '\ufffd 2': 2,
      '\ufffd 3': 3,
      '\u{1f600}': 4,
      a: { '\ufffd': 5, '\ufffd 2': 6 },
    },
  })
})

test('a call with half of a pair in its arguments is approved once, and runs with the arguments that are stored', async () => {
  const { workspace } = await aSession('\ud83d')
  const seen: unknown[] = []
  const send = defineTool({
    name: 'send',
    description: 'Send.',
    requiresConfirmation: true,
    inputSchema: z.looseObject({}),
    execute: (input) => void seen.push(input),
  })
  await workspace.registerTool(send)
  const given = { '\ud83d': '\ude00', note: 'whole \u{1f600}' }
  const stored = { '\ufffd': '\ufffd', note: 'whole \u{1f600}' }
  const asked = await workspace.callTool('send', given, { caller: 'model' })
  expect(asked).toMatchObject({ error: { type: 'CONFIRMATION_REQUIRED' } })
  const [question] = workspace.state.confirmations
  expect(question).toMatchObject({ arguments: stored })
  await workspace.approve(question?.id ?? '')
  expect(await workspace.callTool('send', given, { caller: 'model' })).toMatchObject({ ok: true })
  expect(seen).toEqual([stored])
})

test('a log of an earlier version with halves of pairs opens, verifies, and reads well formed', async () => {
  const text = 'cut \ud83d'
  const { workspace, log, catalog, sdk, pad } = await aSession(text)
  await workspace.callTool('note', {})
  await workspace.setSummary('A summary.')
  await workspace.callTool('say', { kind: 'data' })
  const entries = await log.read('s')
  await workspace.close()
  // Its definitions are the same.
  const old = { ...createMemoryLog(), definitions: log.definitions }
  const raw = JSON.parse(JSON.stringify(entries).replaceAll('\ufffd', '\\ud83d')) as typeof entries
  expect(halves(raw)).not.toEqual([])
  await old.append('s', 0, raw)
  const reopened = await VirtualWorkspace.open({
    catalog,
    log: old,
    session: 's',
    principal: { id: text },
    components: [pad],
    tools: sdk,
    metaTools: META_TOOL_NAMES,
  })
  onTestFinished(() => reopened.close())
  expect(halves(await reopened.entries())).not.toEqual([])
  const step = await reopened.beginStep({ historyIsCut: true })
  expect(halves([step.instructions, step.conversation, step.messages])).toEqual([])
  expect(reopened.prompt().text).toContain('cut')
})

test('MCP: no answer of the server has half of a surrogate pair', async () => {
  const text = 'cut \ud83d'
  const { catalog } = await aSession(text)
  const endpoint = await endpointFor({
    workspace: { catalog, metaTools: META_TOOL_NAMES },
    prompts: [{ name: 'letter', description: text, get: () => text }],
    resources: [{ uri: 'shop://terms', name: 'terms', description: text, read: () => text }],
  })
  const client = await connected(endpoint, '2026-07-28')
  const results = []
  for (const kind of KINDS) {
    const input = { name: 'say', arguments: { kind } }
    results.push(await client.callTool({ name: 'call_tool', arguments: input }))
  }
  const answers = [
    client.getInstructions(),
    await client.listTools(),
    await client.listPrompts(),
    await client.listResources(),
    await client.getPrompt({ name: 'letter' }),
    await client.readResource({ uri: 'shop://terms' }),
    await client.callTool({ name: 'loadSkill', arguments: { skillName: 'reading' } }),
    await client.callTool({
      name: 'loadSkillFile',
      arguments: { skillName: 'reading', path: 'notes.md' },
    }),
  ]
  expect(halves([results, answers])).toEqual([])
  expect(JSON.stringify([results, answers])).not.toMatch(ESCAPED)
})
