import { jsonSchema, tool } from 'ai'
import { expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { defineRules } from '../../src/tools/define-rules.ts'
import { defineTool } from '../../src/tools/define-tool.ts'
import { defineToolset } from '../../src/tools/define-toolset.ts'
import { defineIntent } from '../../src/tools/intents/define-intent.ts'
import { fail, succeed, type ToolResponse } from '../../src/tools/response/tool-response.ts'
import type { RunningCall, ToolContext } from '../../src/tools/definition/tool-context.ts'
import { toolsFromAiSdk } from '../../src/tools/brought/tools-from-ai-sdk.ts'
import type { Tool } from '../../src/tools/definition/tool.ts'

interface Services {
  readonly shop: { refund(order: string): Promise<{ readonly amount: number }> }
}

declare function callTool<I, O>(tool: Tool<I, O>, input: I): Promise<ToolResponse<O>>

const named = { name: 'refund', description: 'Pay an order back.' }

test('types come from the schema and from the annotated context at once', () => {
  const refund = defineTool({
    ...named,
    inputSchema: z.object({ order: z.string() }),
    execute: ({ order }, context: ToolContext<Services>) => {
      expectTypeOf(order).toEqualTypeOf<string>()
      return context.services.shop.refund(order)
    },
  })
  expectTypeOf(refund).toEqualTypeOf<
    Tool<{ order: string }, { readonly amount: number }, Services>
  >()
})

test('callers give the input of the schema, the handler gets its output', () => {
  const parsed = defineTool({
    ...named,
    inputSchema: z.object({
      day: z.string().transform((day) => new Date(day)),
      n: z.int().default(1),
    }),
    execute: ({ day, n }) => {
      expectTypeOf(day).toEqualTypeOf<Date>()
      expectTypeOf(n).toEqualTypeOf<number>()
      return day.getTime()
    },
  })
  expectTypeOf(parsed).toEqualTypeOf<Tool<{ day: string; n?: number | undefined }, number>>()
  expectTypeOf(callTool(parsed, { day: '' })).resolves.toEqualTypeOf<ToolResponse<number>>()
  // @ts-expect-error -- a Date is what the handler gets, not what a caller gives
  void callTool(parsed, { day: new Date() })
})

test('the result is checked with the output schema', () => {
  const output = z.object({ id: z.string().transform(Number) })
  const typed = defineTool({ ...named, outputSchema: output, execute: async () => ({ id: '1' }) })
  expectTypeOf(typed).toEqualTypeOf<Tool<Readonly<Record<string, never>>, { id: number }>>()
  // @ts-expect-error -- the schema wants text
  defineTool({ ...named, outputSchema: output, execute: () => ({ id: 1 }) })
  defineTool({ ...named, outputSchema: output, execute: () => fail('CONFLICT', 'Taken.') })
  defineTool({ ...named, outputSchema: output, execute: () => succeed({ id: '1' }) })
})

test('an envelope is unwrapped in the type of the data', () => {
  const either = defineTool({
    ...named,
    execute: () => (named.name === '' ? fail('CONFLICT', 'Taken.') : succeed({ id: 1 })),
  })
  expectTypeOf(either).toEqualTypeOf<Tool<Readonly<Record<string, never>>, { id: number }>>()
})

test('the data of a stream is its returned value, or the last one it yields', () => {
  type Streamed<O> = Tool<Readonly<Record<string, never>>, O>
  const yielding = defineTool({
    ...named,
    async *execute() {
      yield await Promise.resolve({ page: 1 })
      yield { page: 2 }
    },
  })
  expectTypeOf(yielding).toEqualTypeOf<Streamed<{ page: number }>>()
  const returning = defineTool({
    ...named,
    async *execute() {
      yield await Promise.resolve('reading')
      return succeed({ pages: 2 })
    },
  })
  expectTypeOf(returning).toEqualTypeOf<Streamed<{ pages: number }>>()
  const failing = defineTool({
    ...named,
    async *execute() {
      yield await Promise.resolve(1)
      if (named.name === '') return fail('CONFLICT', 'Taken.')
      return { pages: 2 }
    },
  })
  expectTypeOf(failing).toEqualTypeOf<Streamed<{ pages: number }>>()
  const readable = defineTool({ ...named, execute: () => new ReadableStream<{ line: string }>() })
  expectTypeOf(readable).toEqualTypeOf<Streamed<{ line: string }>>()
  const output = z.object({ pages: z.number() })
  defineTool({
    ...named,
    outputSchema: output,
    async *execute() {
      yield await Promise.resolve('reading')
      return { pages: 2 }
    },
  })
  async function* wrong() {
    yield await Promise.resolve('reading')
    return { pages: 'two' }
  }
  // @ts-expect-error -- the schema wants a number
  defineTool({ ...named, outputSchema: output, execute: wrong })
})

test('a call in the background returns its id, whatever its handler returns', () => {
  const print = defineTool({ ...named, background: true, execute: () => ({ pages: 2 }) })
  expectTypeOf(print).toEqualTypeOf<Tool<Readonly<Record<string, never>>, RunningCall>>()
  const now = defineTool({ ...named, background: false, execute: () => 1 })
  expectTypeOf(now).toEqualTypeOf<Tool<Readonly<Record<string, never>>, number>>()
})

test('a handler calls tools by their types', () => {
  const count = defineTool({
    ...named,
    inputSchema: z.object({ of: z.string() }),
    execute: ({ of }) => of.length,
  })
  defineTool({
    ...named,
    async execute(_, { callTool }: ToolContext<Services>) {
      const counted = await callTool(count, { of: 'a' })
      expectTypeOf(counted).toEqualTypeOf<ToolResponse<number>>()
      expectTypeOf(await callTool(count, { of: 'a' }, { background: true })).toEqualTypeOf<
        ToolResponse<RunningCall>
      >()
      expectTypeOf(await callTool('count', {})).toEqualTypeOf<ToolResponse>()
      // @ts-expect-error -- it counts text
      void callTool(count, { of: 1 })
      return counted
    },
  })
})

test('a tool without input takes no arguments', () => {
  const clock = defineTool({ ...named, execute: () => 1 })
  expectTypeOf(callTool(clock, {})).resolves.toEqualTypeOf<ToolResponse<number>>()
  // @ts-expect-error -- it takes no arguments
  void callTool(clock, { zone: 'UTC' })
})

test('with plain JSON Schema the input is unknown unless a type is given', () => {
  const input = { type: 'object', properties: { order: { type: 'string' } } }
  expectTypeOf(defineTool({ ...named, inputSchema: input })).toEqualTypeOf<Tool>()
  const told = defineTool<{ order: string }>({
    ...named,
    inputSchema: input,
    execute: ({ order }) => order,
  })
  expectTypeOf(told).toEqualTypeOf<Tool<{ order: string }>>()
  const annotated = defineTool({
    ...named,
    inputSchema: input,
    execute: ({ order }: { order: string }, context: ToolContext<Services>) =>
      context.services.shop.refund(order),
  })
  expectTypeOf(annotated).toEqualTypeOf<
    Tool<{ order: string }, { readonly amount: number }, Services>
  >()
  const branded = defineTool({
    ...named,
    inputSchema: jsonSchema<{ order: string }>({ type: 'object' }),
    execute: ({ order }) => order,
  })
  expectTypeOf(branded).toEqualTypeOf<Tool<{ order: string }, string>>()
})

test('entities are extracted from the data', () => {
  defineTool({
    ...named,
    execute: () => [{ key: 1, title: 'a' }],
    extract: (rows) =>
      rows.map(({ key, title }) => ({ type: 'page', id: String(key), name: title })),
  })
})

test('tools of different services fit in one list', () => {
  const a = defineTool({
    ...named,
    execute: (_, context: ToolContext<Services>) => context.services,
  })
  const b = defineTool({
    ...named,
    execute: (_, context: ToolContext<{ db: number }>) => context.call,
  })
  const c = defineTool({
    ...named,
    inputSchema: z.object({ x: z.string() }),
    execute: ({ x }) => x,
  })
  const list: readonly Tool[] = [a, b, c]
  expectTypeOf(list).items.toEqualTypeOf<Tool>()
})

test('tools of the AI SDK are accepted unchanged', () => {
  void toolsFromAiSdk({
    a: tool({ inputSchema: z.object({ x: z.string() }), execute: ({ x }) => x }),
    b: tool({
      inputSchema: jsonSchema<{ y: number }>({ type: 'object' }),
      outputSchema: z.string(),
    }),
  })
})

test('unknown fields of a tool are type errors', () => {
  // @ts-expect-error -- the field is inputSchema
  defineTool({ ...named, parameters: z.object({}), execute: () => 1 })
  // @ts-expect-error -- the field is inputSchema
  defineTool({ ...named, input: z.object({}), execute: () => 1 })
  // @ts-expect-error -- the field is execute
  defineTool({ ...named, inputSchema: z.object({}), run: () => 1 })
  // @ts-expect-error -- the field is outputSchema
  defineTool({ ...named, outputSchma: z.string(), execute: () => 'a' })
  // @ts-expect-error -- the same with plain JSON Schema
  defineTool({ ...named, inputSchema: { type: 'object' }, handler: () => 1 })
})

test('unknown fields of toolsets, rules and intents are type errors', () => {
  // @ts-expect-error -- the field is tools
  defineToolset({ name: 'pages', description: 'Pages.', tools: [], tool: [] })
  // @ts-expect-error -- the field is text
  defineRules({ topic: 'pages', text: 'Look.', rules: 'Look.' })
  // @ts-expect-error -- the field is payload
  defineIntent({ type: 'HAND_OFF', when: 'now', schema: {} })
})
