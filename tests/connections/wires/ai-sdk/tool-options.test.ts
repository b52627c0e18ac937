import { readFileSync } from 'node:fs'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import {
  dynamicTool,
  generateText,
  isStepCount,
  jsonSchema,
  type LanguageModel,
  type ModelMessage,
  simulateReadableStream,
  streamText,
  tool,
  type Tool,
  type ToolExecutionOptions,
  type ToolSet,
} from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { createCatalog, toolsFromAiSdk, VirtualWorkspace } from 'loadout'
import { forAiSdk } from 'loadout/ai-sdk'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openWireServer } from '../../../wires/server/open-wire-server.ts'
import { requestsOf, type Said, scriptedModel } from './scripted-model.ts'

type KeyOf<T> = T extends unknown ? keyof T : never

type ToolOption = KeyOf<Tool>

/** The options of a tool that a provider defines, and of the search of the SDK. */
const DROPPED = {
  deferLoading: true,
  id: 'openai.web_search',
  args: { n: 1 },
  isProviderExecuted: true,
  supportsDeferredResults: true,
} satisfies Partial<Record<ToolOption, unknown>>

type CarriedOption = Exclude<ToolOption, keyof typeof DROPPED>

/** The settings of the SDK for the same tools, as they are and through a workspace. */
interface Way {
  readonly name: 'plain' | 'workspace'
  settings(tools: ToolSet): Promise<{ readonly tools: ToolSet }>
}

const PLAIN: Way = { name: 'plain', settings: async (tools) => ({ tools }) }

const WORKSPACE: Way = {
  name: 'workspace',
  async settings(tools) {
    const catalog = await createCatalog({ tools: toolsFromAiSdk(tools, { lossy: 'error' }) })
    return forAiSdk(await VirtualWorkspace.open({ catalog, services: { from: 'services' } }))
  },
}

/** Runs the same thing in both ways, and returns what each showed. */
async function bothWays<T>(run: (way: Way) => Promise<T>): Promise<readonly [T, T]> {
  return [await run(PLAIN), await run(WORKSPACE)]
}

const calls = (input: unknown, id = 'c1'): Said => [{ id, tool: 'it', input }]

const prompt = 'Do it.'

async function generate(way: Way, tools: ToolSet, model: LanguageModel, more: object = {}) {
  const settings = await way.settings(tools)
  return generateText({ model, prompt, ...settings, stopWhen: isStepCount(3), ...more })
}

/** Returns the definitions of a tool in the requests to a provider. */
async function sentBy(way: Way, it: Tool, provider: 'openai' | 'anthropic') {
  const server = await openWireServer({ answers: ['Done.'] })
  const options = { apiKey: 'k', baseURL: `${server.url}/v1` }
  const model =
    provider === 'openai'
      ? createOpenAI(options).responses('gpt-5.4')
      : createAnthropic(options)('claude-opus-4-8')
  await generate(way, { it }, model)
  await server.close()
  expect(server.violations).toEqual([])
  return server.requests.map(({ body, betas }) => {
    // OpenAI's own form names the version of JSON Schema. The workspace sends it without.
    const text = JSON.stringify(body['tools'])
    return { tools: JSON.parse(text.replace(/"\$schema":"[^"]*",?/u, '')) as unknown, betas }
  })
}

const inputSchema = z.object({ n: z.number().describe('A number.') })

/** A definition with everything that a request can carry. */
const sentTool = tool({
  description: 'Does it.',
  inputSchema,
  strict: true,
  inputExamples: [{ input: { n: 1 } }],
  providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
  execute: () => 1,
})

async function isSentAlike(): Promise<void> {
  for (const provider of ['openai', 'anthropic'] as const) {
    const [plain, workspace] = await bothWays((way) => sentBy(way, sentTool, provider))
    expect(workspace).toEqual(plain)
  }
}

/** A model that streams the input of one call in pieces. */
function pieceByPiece(): MockLanguageModelV4 {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  }
  const call: LanguageModelV4StreamPart[] = [
    { type: 'tool-input-start', id: 'c1', toolName: 'it' },
    { type: 'tool-input-delta', id: 'c1', delta: '{"n":' },
    { type: 'tool-input-delta', id: 'c1', delta: '1}' },
    { type: 'tool-input-end', id: 'c1' },
    { type: 'tool-call', toolCallId: 'c1', toolName: 'it', input: '{"n":1}' },
  ]
  const text: LanguageModelV4StreamPart[] = [
    { type: 'text-start', id: '0' },
    { type: 'text-delta', id: '0', delta: 'Done.' },
    { type: 'text-end', id: '0' },
  ]
  let at = 0
  return new MockLanguageModelV4({
    doStream: async () => {
      at += 1
      const unified = at === 1 ? ('tool-calls' as const) : ('stop' as const)
      const finish = { type: 'finish', finishReason: { unified, raw: undefined }, usage } as const
      const start: LanguageModelV4StreamPart = { type: 'stream-start', warnings: [] }
      const chunks = [start, ...(at === 1 ? call : text), finish]
      return { stream: simulateReadableStream({ chunks }) }
    },
  })
}

/** Runs a tool whose input is streamed, and returns what its callbacks got. */
async function callbacks(way: Way): Promise<readonly unknown[]> {
  const seen: unknown[] = []
  const note = (name: string) => (given: object) => {
    const { messages, abortSignal, ...rest } = given as ToolExecutionOptions<unknown>
    seen.push({ name, ...rest, messages: messages.length > 0, aborts: abortSignal !== undefined })
  }
  const it = tool({
    inputSchema,
    contextSchema: z.object({ user: z.string() }),
    onInputStart: note('start'),
    onInputDelta: note('delta'),
    onInputAvailable: note('available'),
    execute: () => 1,
  })
  const settings = {
    model: pieceByPiece(),
    prompt,
    ...(await way.settings({ it })),
    toolsContext: { it: { user: 'Ann' } },
    abortSignal: new AbortController().signal,
    stopWhen: isStepCount(2),
  }
  // The type of `toolsContext` needs the types of the tools, which a workspace does not have.
  await streamText(settings as unknown as Parameters<typeof streamText>[0]).consumeStream()
  return seen
}

async function callbacksAreCalled(): Promise<void> {
  const [plain, workspace] = await bothWays(callbacks)
  expect(plain).toHaveLength(4)
  expect(workspace).toEqual(plain)
}

/** The proof for each option that is carried. A new option of the SDK does not compile. */
const CARRIED: Readonly<Record<CarriedOption, () => Promise<void>>> = {
  description: isSentAlike,
  inputSchema: isSentAlike,
  strict: isSentAlike,
  inputExamples: isSentAlike,
  providerOptions: isSentAlike,
  onInputStart: callbacksAreCalled,
  onInputDelta: callbacksAreCalled,
  onInputAvailable: callbacksAreCalled,

  async type() {
    const it = dynamicTool({ inputSchema, execute: async () => 'dynamic' })
    const [, { steps }] = await bothWays((way) =>
      generate(way, { it }, scriptedModel([calls({ n: 1 }), 'Done.'])),
    )
    expect(steps[0]?.toolCalls).toMatchObject([{ toolName: 'it', dynamic: true }])
    expect(JSON.stringify(steps[0]?.toolResults)).toContain('dynamic')
  },

  async title() {
    const it = tool({ title: 'Do it', inputSchema, execute: () => 1 })
    const [plain, workspace] = await bothWays(async (way) => {
      const { steps } = await generate(way, { it }, scriptedModel([calls({ n: 1 }), 'Done.']))
      return steps[0]?.toolCalls.map(({ title }) => title)
    })
    expect(plain).toEqual(['Do it'])
    expect(workspace).toEqual(plain)
  },

  async metadata() {
    const it = tool({ metadata: { server: 'crm' }, inputSchema, execute: () => 1 })
    const [plain, workspace] = await bothWays(async (way) => {
      const { steps } = await generate(way, { it }, scriptedModel([calls({ n: 1 }), 'Done.']))
      return steps[0]?.toolCalls.map(({ toolMetadata }) => toolMetadata)
    })
    expect(plain).toEqual([{ server: 'crm' }])
    expect(workspace).toEqual(plain)
  },

  /** The SDK does not check results by it, so a result that does not match stays one. */
  async outputSchema() {
    const outputSchema = z.object({ degrees: z.number() })
    const execute = () => ({ degrees: 'hot' }) as unknown as { degrees: number }
    const it = tool({ inputSchema, outputSchema, execute })
    const [plain, workspace] = await bothWays((way) => readByModel(way, it))
    expect(workspace).toEqual(plain)
    const [converted] = toolsFromAiSdk({ it })
    expect(converted?.outputSchema).toMatchObject({ properties: { degrees: { type: 'number' } } })
  },

  async contextSchema() {
    const seen: unknown[] = []
    const it = tool({
      inputSchema,
      contextSchema: z.object({ user: z.string().toUpperCase() }),
      execute: (_input, { context }) => void seen.push(context),
    })
    const run = (way: Way, toolsContext: object) =>
      generate(way, { it }, scriptedModel([calls({ n: 1 }), 'Done.']), { toolsContext })
    await bothWays((way) => run(way, { it: { user: 'ann' } }))
    expect(seen).toEqual([{ user: 'ANN' }, { user: 'ANN' }])
    for (const way of [PLAIN, WORKSPACE]) {
      await expect(run(way, { it: { user: 7 } })).rejects.toThrow('Type validation failed')
    }
    await generate(WORKSPACE, { it }, scriptedModel([calls({ n: 1 }), 'Done.']))
    expect(seen.at(-1)).toEqual({ from: 'services' })
  },

  async execute() {
    const [plain, workspace] = await bothWays(async (way) => {
      const seen: unknown[] = []
      const options: Readonly<Record<keyof ToolExecutionOptions<unknown>, true>> = {
        toolCallId: true,
        messages: true,
        abortSignal: true,
        context: true,
        experimental_sandbox: true,
      }
      const it = tool({
        inputSchema,
        contextSchema: z.object({ user: z.string() }),
        execute: (input, given) => {
          const { abortSignal, messages, ...rest } = given
          expect(Object.keys(given).toSorted()).toEqual(Object.keys(options).toSorted())
          expect(abortSignal?.aborted).toBe(false)
          seen.push({ input, messages: userTexts(messages), ...rest })
          return 'done'
        },
      })
      await generate(way, { it }, scriptedModel([calls({ n: 1 }), 'Done.']), {
        toolsContext: { it: { user: 'Ann' } },
        experimental_sandbox: { description: 'a sandbox' },
        abortSignal: new AbortController().signal,
      })
      return seen
    })
    expect(plain).toHaveLength(1)
    expect(workspace).toEqual(plain)
  },

  async needsApproval() {
    const [plain, workspace] = await bothWays(async (way) => {
      const asked: unknown[] = []
      const it = tool({
        inputSchema,
        contextSchema: z.object({ user: z.string() }),
        needsApproval: ({ n }, { messages, ...rest }) => {
          asked.push({ n, messages: userTexts(messages), ...rest })
          return n > 2
        },
        execute: ({ n }) => n,
      })
      const said = [calls({ n: 1 }, 'c1'), calls({ n: 3 }, 'c2')]
      const { content } = await generate(way, { it }, scriptedModel(said), {
        toolsContext: { it: { user: 'Ann' } },
      })
      const requests = content.filter(({ type }) => type === 'tool-approval-request')
      return { asked, requests: requests.length }
    })
    expect(plain.asked).toHaveLength(2)
    expect(workspace).toEqual(plain)
  },

  async toModelOutput() {
    const it = tool({
      inputSchema,
      execute: () => ({ rows: ['a', 'b'] }),
      toModelOutput: ({ output, input, toolCallId }) => ({
        type: 'text',
        value: `${toolCallId} ${JSON.stringify(input)} ${output.rows.length}`,
      }),
    })
    const [plain, workspace] = await bothWays((way) => readByModel(way, it))
    expect(plain).toEqual([{ type: 'text', value: 'c1 {"n":1} 2' }])
    expect(workspace).toEqual(plain)
  },
}

/** Returns what the user said. A workspace adds its own messages, which the model reads, too. */
function userTexts(messages: readonly ModelMessage[]): unknown {
  const said = messages.filter(({ role }) => role === 'user').map(({ content }) => content)
  return said.filter((content) => !JSON.stringify(content).includes('From the workspace'))
}

/** Returns what the model reads of the result of one call. */
async function readByModel(way: Way, it: Tool): Promise<readonly unknown[]> {
  const model = scriptedModel([calls({ n: 1 }), 'Done.'])
  await generate(way, { it }, model)
  const last = requestsOf(model).at(-1) as LanguageModelV4CallOptions
  return last.prompt.flatMap((message) =>
    message.role === 'tool'
      ? message.content.flatMap((part) => (part.type === 'tool-result' ? part.output : []))
      : [],
  )
}

describe('each option of tool() reaches the SDK, the model or the tool', () => {
  test.each(Object.entries(CARRIED))('%s', async (_, isCarried) => {
    await expect(isCarried()).resolves.toBeUndefined()
  })
})

test('the documentation has a row for each option', () => {
  const page = readFileSync(new URL('../../../../docs/ai-sdk.md', import.meta.url), 'utf8')
  const [section = ''] = page.split('## Tools of the SDK\n').slice(1)
  const [table = ''] = section.split('\n## ')
  const rows = [...table.matchAll(/^\| `(\w+)` +\| (carried|dropped)/gmu)]
  const listed = Object.fromEntries(rows.map(([, option, fate]) => [option, fate]))
  const fates = [
    ...Object.keys(CARRIED).map((option) => [option, 'carried']),
    ...Object.keys(DROPPED).map((option) => [option, 'dropped']),
  ]
  expect(listed).toEqual(Object.fromEntries(fates))
})

test('each other option is in the list of what was dropped', () => {
  const given = { it: { type: 'provider', inputSchema: jsonSchema({}), ...DROPPED } }
  const dropped = toolsFromAiSdk(given)[0]?.dropped?.map(({ option }) => option)
  expect(dropped?.toSorted()).toEqual(Object.keys(DROPPED).toSorted())
})
