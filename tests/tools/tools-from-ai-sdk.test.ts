import { types } from 'node:util'
import { dynamicTool, jsonSchema, tool } from 'ai'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createCatalog } from '../../src/catalog/create/create-catalog.ts'
import { VirtualWorkspace } from '../../src/workspace/virtual-workspace.ts'
import type { ToolContext } from '../../src/tools/definition/tool-context.ts'
import type { Tool } from '../../src/tools/definition/tool.ts'
import { toolDefinition } from '../../src/tools/definition/make-tool.ts'
import { toolsFromAiSdk } from '../../src/tools/brought/tools-from-ai-sdk.ts'
import type { AiSdkTool } from '../../src/tools/definition/ai-sdk-tool.ts'

const schema = { type: 'object', properties: { city: { type: 'string' } } } as const

function only(sdkTool: AiSdkTool): Tool {
  const [first] = toolsFromAiSdk({ weather: sdkTool })
  if (first === undefined) throw new Error('The record gave no tool.')
  return first
}

function contextOf(signal = new AbortController().signal): ToolContext {
  return {
    services: { units: 'metric' },
    principal: undefined,
    signal,
    call: { id: 'call-1', tool: 'weather', owner: 'global', session: 's', caller: 'model' },
    state: undefined,
    update: () => Promise.reject(new Error('no component')),
    progress: () => {},
    log: () => undefined,
    elicit: () => Promise.reject(new Error('nobody is asked')),
    sample: () => Promise.reject(new Error('nobody is asked')),
    roots: () => Promise.reject(new Error('nobody is asked')),
    callTool: () => Promise.reject(new Error('no other tool')),
    activeSkills: () => [],
    callableTools: () => [],
  }
}

test('a tool comes in with its description, schemas and handler', async () => {
  const weather = only(
    tool({
      description: 'Show the weather. In metric units.',
      inputSchema: z.object({ city: z.string() }),
      outputSchema: z.object({ degrees: z.number() }),
      execute: ({ city }) => ({ degrees: city.length }),
    }),
  )
  expect(toolDefinition(weather)).toMatchObject({
    name: 'weather',
    description: 'Show the weather. In metric units.',
    summary: 'Show the weather.',
    inputSchema: { properties: { city: { type: 'string' } }, additionalProperties: false },
    outputSchema: { properties: { degrees: { type: 'number' } } },
  })
  expect(await weather.execute?.({ city: 'Rome' }, contextOf())).toEqual({ degrees: 4 })
  expect(await weather.parseInput({ city: 1 })).toMatchObject({ ok: false })
})

test('execute gets the call, its signal and the services of the session', async () => {
  const weather = only(
    tool({ inputSchema: jsonSchema(schema), execute: (_input, options) => options }),
  )
  const context = contextOf()
  expect(await weather.execute?.({}, context)).toEqual({
    toolCallId: 'call-1',
    messages: [],
    abortSignal: context.signal,
    context: { units: 'metric' },
  })
})

describe('every form of schema is read', () => {
  test.each<{ of: string; inputSchema: unknown }>([
    { of: 'zod', inputSchema: z.object({ city: z.string().optional() }) },
    { of: 'jsonSchema()', inputSchema: jsonSchema(schema) },
    { of: 'jsonSchema() of a function', inputSchema: jsonSchema(() => schema) },
    { of: 'a lazy schema', inputSchema: () => jsonSchema(schema) },
  ])('$of', async ({ inputSchema }) => {
    const { parseInput } = only({ inputSchema })
    expect(await parseInput({ city: 'Rome' })).toEqual({ ok: true, value: { city: 'Rome' } })
    expect(await parseInput({ city: 1 })).toMatchObject({ ok: false, issues: [{ path: '/city' }] })
    expect(await parseInput({ town: '' })).toEqual({ ok: true, value: {}, leftOut: ['/town'] })
    const [strict] = toolsFromAiSdk({ it: { inputSchema } }, { unknownArguments: 'refuse' })
    const refused = { ok: false, issues: [{ path: '/town' }] }
    expect(await strict?.parseInput({ town: '' })).toMatchObject(refused)
  })

  test('a schema that refuses unknown arguments itself does so', async () => {
    const { parseInput } = only({ inputSchema: z.strictObject({}) })
    expect(await parseInput({ town: '' })).toMatchObject({ ok: false })
  })

  test('arguments that are unknown at any depth are left out', async () => {
    const properties = {
      rows: { type: 'array', items: { type: 'object', properties: { a: {} } } },
    } as const
    const inputSchema = jsonSchema({ type: 'object', properties, additionalProperties: false })
    const items = { type: 'object', properties: { a: {} }, additionalProperties: false } as const
    const closed = jsonSchema({ type: 'object', properties: { rows: { type: 'array', items } } })
    expect(await only({ inputSchema }).parseInput({ rows: [{ a: 1 }], b: 2 })).toEqual({
      ok: true,
      value: { rows: [{ a: 1 }] },
      leftOut: ['/b'],
    })
    expect(await only({ inputSchema: closed }).parseInput({ rows: [{ a: 1 }, { b: 2 }] })).toEqual({
      ok: true,
      value: { rows: [{ a: 1 }, {}] },
      leftOut: ['/rows/1/b'],
    })
  })

  test('the validator of jsonSchema() has its say after the schema', async () => {
    const picky = jsonSchema<{ city: string }>(schema, {
      validate: (value) => {
        const { city } = value as { city: string }
        return city === 'Rome'
          ? { success: true, value: { city: 'Roma' } }
          : { success: false, error: new Error('only Rome') }
      },
    })
    const { parseInput } = only({ inputSchema: picky })
    expect(await parseInput({ city: 'Rome' })).toEqual({ ok: true, value: { city: 'Roma' } })
    expect(await parseInput({ city: 'Oslo' })).toEqual({
      ok: false,
      issues: [{ path: '', message: 'only Rome' }],
    })
  })
})

describe('a handler that streams', () => {
  async function* asking(): AsyncGenerator<string, void> {
    yield await Promise.resolve('asking')
    yield 'sunny'
  }

  test.each<{ what: string; execute: NonNullable<AiSdkTool['execute']>; generator: boolean }>([
    { what: 'a generator', execute: asking, generator: true },
    { what: 'a function that returns a stream', execute: () => asking(), generator: false },
  ])('hands its values on: $what', async ({ execute, generator }) => {
    const { execute: run } = only({ inputSchema: z.object({}), execute })
    const values: unknown[] = []
    const stream = run?.({}, contextOf()) as AsyncIterable<unknown>
    for await (const value of stream) values.push(value)
    expect(values).toEqual(['asking', 'sunny'])
    // An adapter must know this before the call.
    expect(types.isGeneratorFunction(run)).toBe(generator)
  })
})

test.each<{ of: string; sdkTool: AiSdkTool; bound: boolean }>([
  {
    of: 'a dynamic tool',
    sdkTool: dynamicTool({ inputSchema: z.object({}), execute: async () => 1 }),
    bound: true,
  },
  {
    of: 'a tool for the client to run',
    sdkTool: tool({ inputSchema: z.object({}), outputSchema: z.string() }),
    bound: false,
  },
  {
    of: 'a tool that a provider runs',
    sdkTool: {
      type: 'provider',
      inputSchema: z.object({}),
      outputSchema: z.unknown(),
    },
    bound: false,
  },
])('$of is bound: $bound', async ({ sdkTool, bound }) => {
  expect(only(sdkTool).execute !== undefined).toBe(bound)
})

test.each([
  { needsApproval: true, asks: true },
  { needsApproval: () => false, asks: true },
  { needsApproval: false, asks: false },
  { needsApproval: undefined, asks: false },
])('needsApproval $needsApproval asks: $asks', async ({ needsApproval, asks }) => {
  const sdkTool = { inputSchema: z.object({}), needsApproval }
  const tool = only(sdkTool)
  expect(tool.requiresConfirmation).toBe(asks)
  expect(tool.confirms !== undefined).toBe(typeof needsApproval === 'function')
})

test('a host that asks about every call is not overruled by needsApproval', () => {
  const sdkTool = { inputSchema: z.object({}), needsApproval: () => false }
  const [tool] = toolsFromAiSdk({ it: sdkTool }, { requiresConfirmation: true })
  expect(tool).toMatchObject({ requiresConfirmation: true })
  expect(tool?.confirms).toBeUndefined()
})

test('defaults say what the SDK does not, for all tools', async () => {
  const record = {
    a: tool({ inputSchema: z.object({}), execute: () => 1 }),
    b: tool({ inputSchema: z.object({}), execute: () => 1 }),
  }
  const tools = toolsFromAiSdk(record, { category: 'action', topic: 'weather' })
  expect(tools).toMatchObject([
    { name: 'a', category: 'action', topic: 'weather', risk: 'moderate', description: 'Calls a.' },
    { name: 'b', category: 'action', topic: 'weather', risk: 'moderate', description: 'Calls b.' },
  ])
})

describe('options without an effect are reported', () => {
  const inputSchema = z.object({})
  const misspelt: AiSdkTool & { stirct: boolean } = { inputSchema, stirct: true }

  test.each<{ option: string; sdkTool: AiSdkTool; definition?: object }>([
    {
      option: 'description',
      sdkTool: { inputSchema, description: () => 'Sunny.' },
      definition: { description: 'Sunny.' },
    },
    {
      option: 'description',
      sdkTool: { inputSchema, title: 'Weather', description: ({ context }) => context.place },
      definition: { description: 'Weather' },
    },
    {
      option: 'outputSchema',
      sdkTool: {
        inputSchema,
        outputSchema: z.object({ degrees: z.number(), all: z.custom<Set<string>>() }),
      },
      definition: {
        outputSchema: {
          type: 'object',
          properties: { degrees: { type: 'number' }, all: {} },
          required: ['degrees', 'all'],
          additionalProperties: false,
        },
      },
    },
    {
      option: 'outputSchema',
      sdkTool: { inputSchema, outputSchema: jsonSchema(async () => schema) },
    },
    { option: 'inputExamples', sdkTool: { inputSchema, inputExamples: [{ input: { n: 1n } }] } },
    { option: 'providerOptions', sdkTool: { inputSchema, providerOptions: { a: { n: 1n } } } },
    { option: 'deferLoading', sdkTool: { inputSchema, deferLoading: true } },
    { option: 'stirct', sdkTool: misspelt },
  ])('$option', async ({ option, sdkTool, definition = {} }) => {
    const tool = only(sdkTool)
    expect(toolDefinition(tool)).toMatchObject(definition)
    expect(tool.dropped?.map((one) => one.option)).toEqual([option])
    const { diagnostics } = await createCatalog({ tools: [tool] })
    const finding = { code: 'sdk-option-dropped', message: expect.stringContaining(`"${option}"`) }
    expect(diagnostics).toMatchObject([finding])
    const workspace = await VirtualWorkspace.open({ catalog: await createCatalog({}) })
    await workspace.registerTool(tool)
    expect((await workspace.entries()).map(({ event }) => event)).toContainEqual(
      expect.objectContaining({ type: 'warning.given', code: 'sdk-option-dropped' }),
    )
    expect(() => toolsFromAiSdk({ it: sdkTool }, { lossy: 'error' })).toThrow(
      expect.objectContaining({
        code: 'TOOL_LOSSY',
        facts: { dropped: [expect.objectContaining({ tool: 'it', option })] },
      }),
    )
  })

  test('nothing is reported when nothing is lost', () => {
    const sdkTool = { inputSchema, description: 'Sunny.', strict: true, deferLoading: false }
    expect(toolsFromAiSdk({ sdkTool }, { lossy: 'error' })[0]?.dropped).toBeUndefined()
  })
})

test('a schema that is still a promise is refused, with advice', () => {
  const sdkTool = { inputSchema: jsonSchema(async () => schema) }
  expect(() => only(sdkTool)).toThrow(
    expect.objectContaining({
      code: 'SCHEMA_UNSUPPORTED',
      hint: expect.stringContaining('Await a promise of a schema'),
    }),
  )
})

describe('annotations of an MCP server', () => {
  const annotated = (annotations: object, more: object = {}) =>
    toolsFromAiSdk(
      { it: { inputSchema: jsonSchema({ type: 'object' }), metadata: { annotations } } },
      more,
    )[0]

  test.each([
    ['no hint is an action', {}, {}, 'action', 'moderate', false],
    ['destructive', { destructiveHint: true }, {}, 'action', 'destructive', false],
    [
      'not trusted to be safe',
      { readOnlyHint: true, idempotentHint: true },
      {},
      'action',
      'moderate',
      false,
    ],
    ['trusted to be safe', { readOnlyHint: true }, { trusted: true }, 'retrieval', 'safe', true],
    [
      'trusted to be repeatable',
      { idempotentHint: true },
      { trusted: true },
      'action',
      'moderate',
      true,
    ],
    [
      'not as safe as its category',
      { readOnlyHint: false },
      { category: 'retrieval' },
      'retrieval',
      'moderate',
      false,
    ],
    [
      'not lowered below the host',
      { readOnlyHint: true },
      { trusted: true, risk: 'destructive' },
      'retrieval',
      'destructive',
      true,
    ],
    [
      'not to be repeated',
      { idempotentHint: false },
      { category: 'utility' },
      'utility',
      'safe',
      false,
    ],
    [
      'contradicting',
      { readOnlyHint: true, destructiveHint: true },
      {},
      'action',
      'destructive',
      false,
    ],
  ])('%s: %o', (_, hints, more, category, risk, idempotent) => {
    expect(annotated(hints, more)).toMatchObject({ category, risk, idempotent })
  })

  test('a result with isError is a failure, with its text', async () => {
    const [tool] = toolsFromAiSdk({
      remove: {
        inputSchema: jsonSchema({ type: 'object' }),
        execute: async () => ({
          isError: true,
          content: [{ type: 'text', text: 'No such repo.' }],
        }),
      },
    })
    const workspace = await VirtualWorkspace.open({
      catalog: await createCatalog({ tools: [tool as Tool] }),
    })
    expect(await workspace.callTool('remove', {})).toMatchObject({
      ok: false,
      error: { type: 'PERMANENT', message: 'No such repo.', partialSideEffects: true },
    })
  })
})
