import { McpServer } from '@modelcontextprotocol/server'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { z as three } from 'zod/v3'
import { createCatalog, toolsFrom, VirtualWorkspace } from '../../src/entries/index.ts'

async function open(tools: ReturnType<typeof toolsFrom>) {
  return VirtualWorkspace.open({ catalog: await createCatalog({ tools }) })
}

const schema = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
} as const

const DECLARED = {
  'Chat Completions': { type: 'function', function: { name: 'weather', parameters: schema } },
  Responses: { type: 'function', name: 'weather', parameters: schema, strict: false },
  Anthropic: { name: 'weather', input_schema: schema },
  Gemini: { name: 'weather', parametersJsonSchema: schema },
  MCP: { name: 'weather', inputSchema: schema, annotations: { readOnlyHint: true } },
}

describe('tools that exist keep what they did', () => {
  test.each(Object.entries(DECLARED))('the JSON of %s', async (_, tool) => {
    const seen: unknown[] = []
    const workspace = await open(
      toolsFrom([tool], { execute: (name, input) => (seen.push([name, input]), 'sunny') }),
    )
    const answer = await workspace.callTool('weather', { city: 'Rome', unknown: 1 })
    expect(answer).toMatchObject({ ok: true, data: 'sunny' })
    expect(seen).toEqual([['weather', { city: 'Rome' }]])
    await workspace.close()
  })

  /** The forms with code, each of which returns the city twice and throws for Atlantis. */
  const run = ({ city }: { city: string }) => {
    if (city === 'Atlantis') throw new RangeError('No such city.\nTry another one.')
    return `${city} ${city}`
  }
  const FORMS: readonly (readonly [string, Parameters<typeof toolsFrom>[0]])[] = [
    ['zod 4', [{ name: 'twice', parameters: z.object({ city: z.string() }), execute: run }]],
    [
      'zod 3',
      [{ name: 'twice', parameters: three.object({ city: three.string() }), execute: run }],
    ],
    ['a record', { twice: { inputSchema: z.object({ city: z.string() }), execute: run } }],
    ['an id', [{ id: 'twice', inputSchema: z.object({ city: z.string() }), execute: run }]],
    ['invoke', [{ name: 'twice', schema, invoke: run }]],
    [
      'text arguments',
      [
        {
          type: 'function',
          name: 'twice',
          parameters: schema,
          invoke: (_: unknown, text: string) => run(JSON.parse(text)),
        },
      ],
    ],
    [
      'registerTool with zod 4',
      (server) =>
        server.registerTool('twice', { inputSchema: { city: z.string() } }, (input) => ({
          content: [{ type: 'text', text: run(input) }],
        })),
    ],
    [
      'registerTool with zod 3',
      (server) =>
        server.registerTool('twice', { inputSchema: { city: three.string() } }, (input) => ({
          content: [{ type: 'text', text: run(input) }],
        })),
    ],
  ]

  test.each(FORMS)('%s', async (_, given) => {
    const workspace = await open(toolsFrom(given))
    const call = (input: object) => workspace.callTool('twice', input)
    for (let at = 0; at < 5; at += 1) {
      expect(await call({ city: 'Rome', more: at % 2 })).toMatchObject({
        ok: true,
        data: 'Rome Rome',
      })
    }
    expect(await call({ city: 'Atlantis' })).toMatchObject({
      ok: false,
      error: { type: 'INTERNAL', message: 'No such city.\nTry another one.' },
    })
    expect(await call({ city: 1 })).toMatchObject({ ok: false, error: { type: 'VALIDATION' } })
    await workspace.close()
  })
})

test('the services of a call are the second argument of execute, which is a method of its tool', async () => {
  class Counter {
    readonly name = 'count'
    readonly parameters = z.object({})
    #count = 0
    execute(_: unknown, services: { readonly step: number }) {
      this.#count += services.step
      return this.#count
    }
  }
  const workspace = await open(toolsFrom([new Counter()]))
  await workspace.callTool('count', {}, { services: { step: 2 } })
  expect(await workspace.callTool('count', {}, { services: { step: 3 } })).toMatchObject({
    data: 5,
  })
  await workspace.close()
})

test('questions of a tool, of all tools, and of one tool', async () => {
  const asked = async (tools: ReturnType<typeof toolsFrom>, input: object) => {
    const workspace = await open(tools)
    const answer = await workspace.callTool('pay', input, { caller: 'model' })
    await workspace.close()
    return answer.ok ? 'ran' : answer.error.type
  }
  const pay = { name: 'pay', parameters: z.object({ sum: z.number() }), execute: () => 'paid' }
  const needsApproval = ({ sum }: { sum: number }) => sum > 10
  const overTen = (input: unknown) => needsApproval(input as { sum: number })
  expect(await asked(toolsFrom([pay]), { sum: 99 })).toBe('ran')
  for (const tools of [
    toolsFrom([{ ...pay, needsApproval }]),
    toolsFrom([{ ...pay, requireApproval: async (input: { sum: number }) => input.sum > 10 }]),
    toolsFrom([pay], { requiresConfirmation: overTen }),
    toolsFrom([pay], {
      each: (name) => ({ requiresConfirmation: name === 'pay' && overTen }),
    }),
  ]) {
    expect(await asked(tools, { sum: 99 })).toBe('CONFIRMATION_REQUIRED')
    expect(await asked(tools, { sum: 1 })).toBe('ran')
  }
})

test('a result of LangChain has its text for the model and its artifact as data; an error of it is one', async () => {
  const message = (given: object) => ({ tool_call_id: 'c', ...given })
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } }
  const results: Readonly<Record<string, unknown>> = {
    text: message({ content: 'two rows' }),
    both: message({ content: 'two rows', artifact: { rows: [1, 2] } }),
    parts: message({ content: [{ type: 'text', text: 'seen' }, image] }),
    failed: message({ content: 'no such table', status: 'error' }),
  }
  const invoke = ({ kind }: { kind: string }) => results[kind]
  const workspace = await open(
    toolsFrom([{ name: 'rows', schema: z.object({ kind: z.string() }), invoke }]),
  )
  const call = (kind: string) => workspace.callTool('rows', { kind })
  expect(await call('text')).toMatchObject({ data: 'two rows' })
  expect(await call('both')).toMatchObject({
    data: { rows: [1, 2] },
    content: [{ type: 'text', text: 'two rows' }],
  })
  expect(await call('parts')).toMatchObject({
    content: [
      { type: 'text', text: 'seen' },
      { type: 'image', mediaType: 'image/png' },
    ],
  })
  expect(await call('failed')).toMatchObject({ ok: false, error: { message: 'no such table' } })
  await workspace.close()
})

test.each([
  { tool_call_id: 'c', status: 'done' },
  { tool_call_id: 'c', content: null },
  { tool_call_id: 'c', content: ['a', { type: 'text' }] },
])('a result that has the id of a call and is no message stays data: %j', async (data) => {
  const workspace = await open(toolsFrom([{ name: 'find', execute: () => data }]))
  expect(await workspace.callTool('find', {})).toMatchObject({ ok: true, data })
  await workspace.close()
})

test('a registration that a server of MCP takes gives the tools that the server lists', async () => {
  const register = (server: Pick<McpServer, 'registerTool'>) => {
    server.registerTool(
      'write_file',
      {
        title: 'Write a file',
        description: 'Writes.',
        inputSchema: z.object({ path: z.string() }),
        annotations: { destructiveHint: true, openWorldHint: false },
      },
      async ({ path }) => ({ content: [{ type: 'text', text: path }], isError: path === '/' }),
    )
  }
  register(new McpServer({ name: 'files', version: '1' }))
  const [tool] = toolsFrom(register as never)
  expect(tool).toMatchObject({
    name: 'write_file',
    risk: 'destructive',
    annotations: { title: 'Write a file', destructiveHint: true, openWorldHint: false },
  })
  const workspace = await open(tool === undefined ? [] : [tool])
  expect(await workspace.callTool('write_file', { path: '/' })).toMatchObject({
    ok: false,
    error: { type: 'PERMANENT', message: '/' },
  })
  await workspace.close()
})

test('what is lost is reported, and what cannot run is refused', () => {
  const tool = { name: 'a', schema, invoke: () => 1, returnDirect: true }
  expect(toolsFrom([tool])[0]?.dropped).toMatchObject([{ option: 'returnDirect' }])
  expect(() => toolsFrom([tool], { lossy: 'error' })).toThrow(
    expect.objectContaining({ code: 'TOOL_LOSSY' }),
  )
  expect(() => toolsFrom([DECLARED.Anthropic])).toThrow('The tool "weather" has no code.')
  expect(() => toolsFrom([{ parameters: schema, execute: () => 1 }])).toThrow('has no name')
  expect(() => toolsFrom('weather' as never)).toThrow('no list, record or function')
  expect(() => toolsFrom([tool], { run: () => 1 } as never)).toThrow('run')
})
