import { types } from 'node:util'
import { dynamicTool, jsonSchema, tool } from 'ai'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createCatalog } from '../../src/catalog/create/create-catalog.ts'
import { VirtualWorkspace } from '../../src/workspace/virtual-workspace.ts'
import type { ToolContext } from '../../src/tools/definition/tool-context.ts'
import type { Tool } from '../../src/tools/definition/tool.ts'
import { toolDefinition } from '../../src/tools/definition/make-tool.ts'
import { toolsFromAiSdk, type AiSdkTool } from '../../src/tools/tools-from-ai-sdk.ts'

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
    callTool: () => Promise.reject(new Error('no other tool')),
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
  expect(await weather.parseInput({ city: 'Rome', day: 1 })).toMatchObject({ ok: false })
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
    expect(await parseInput({ town: '' })).toMatchObject({ ok: false, issues: [{ path: '/town' }] })
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
  expect(only(sdkTool).requiresConfirmation).toBe(asks)
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

test('a description that depends on the call is refused', async () => {
  const sdkTool = { inputSchema: z.object({}), description: () => 'Sunny.' }
  expect(() => only(sdkTool)).toThrow(
    expect.objectContaining({
      code: 'TOOL_INVALID',
      facts: { tool: 'weather', field: 'description' },
    }),
  )
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
