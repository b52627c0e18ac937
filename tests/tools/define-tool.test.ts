import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { bindTool, storedTool, toolDefinition } from '../../src/tools/definition/make-tool.ts'
import { defineTool } from '../../src/tools/define-tool.ts'
import type { Tool, ToolDefinition } from '../../src/tools/definition/tool.ts'

const bare = { name: 'search', description: 'Search the pages. Newest first.' }

const full: ToolDefinition = {
  name: 'search',
  description: 'Search the pages.',
  version: '2.1.0',
  category: 'retrieval',
  topic: 'pages',
  risk: 'safe',
  modes: ['text'],
  phrases: ['find a page'],
  related: ['open_page'],
  summary: 'Search pages.',
  documentation: '# search',
  requiresConfirmation: false,
  idempotent: true,
  latencyMs: 800,
  extraction: { path: '$root', type: 'page', nameField: 'title', isArray: true },
  inputSchema: {
    type: 'object',
    properties: { query: { type: 'string' } },
    additionalProperties: false,
  },
  outputSchema: { type: 'array', items: { type: 'object' } },
}

describe('what is left out follows from the category', () => {
  test('a tool without a category is an action, of moderate risk, and never retried', () => {
    const action = { category: 'action', risk: 'moderate', idempotent: false }
    expect(defineTool(bare)).toMatchObject(action)
    expect(bindTool(toolDefinition(defineTool(bare)))).toMatchObject(action)
    expect(
      storedTool({ ...toolDefinition(defineTool(bare)), hash: defineTool(bare).hash }),
    ).toMatchObject(action)
    expect(defineTool({ ...bare, idempotent: true })).toMatchObject({ ...action, idempotent: true })
    expect(defineTool({ ...bare, risk: 'safe' })).toMatchObject({ ...action, risk: 'safe' })
  })

  test('the hash of a tool without a category is the one that locks have', () => {
    const { hash } = defineTool(bare)
    expect(hash).toBe('sha256:119c8cb5657685d95ab4d34bfdc3e1033b970a36e837f4f16e883fa870cfe970')
    expect(hash).toBe(defineTool({ ...bare, category: 'utility' }).hash)
    expect(bindTool(defineTool(bare)).hash).toBe(hash)
    expect(bindTool(toolDefinition(defineTool(bare))).hash).toBe(hash)
  })

  test('a tool with only a name and a description', () => {
    expect(toolDefinition(defineTool(bare))).toEqual({
      ...bare,
      version: '1.0.0',
      category: 'utility',
      risk: 'safe',
      phrases: [],
      related: [],
      summary: 'Search the pages.',
      requiresConfirmation: false,
      idempotent: true,
      byDefault: ['category', 'risk', 'idempotent'],
      inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    })
  })

  test.each([
    { category: 'retrieval', risk: 'safe', idempotent: true },
    { category: 'utility', risk: 'safe', idempotent: true },
    { category: 'action', risk: 'moderate', idempotent: false },
  ] as const)('$category: $risk', ({ category, risk, idempotent }) => {
    expect(defineTool({ ...bare, category })).toMatchObject({ risk, idempotent })
  })

  test('given values are kept', () => {
    const given = { category: 'action', risk: 'destructive', idempotent: true } as const
    expect(defineTool({ ...bare, ...given })).toMatchObject(given)
  })

  test('undefined means the default', () => {
    const untyped = { ...bare, version: undefined, risk: undefined } as unknown as typeof bare
    expect(defineTool(untyped)).toMatchObject({ version: '1.0.0', risk: 'moderate' })
  })
})

describe('a tool that is defined wrongly is refused, and the field named', () => {
  test.each<[string, object]>([
    ['name', { name: '' }],
    ['name', { name: 'a/b' }],
    ['name', { name: 'a b' }],
    ['name', { name: '..' }],
    ['name', { name: 'x'.repeat(129) }],
    ['name', { name: undefined }],
    ['description', { description: '  ' }],
    ['version', { version: '1' }],
    ['version', { version: 'v1.0.0' }],
    ['category', { category: 'reading' }],
    ['risk', { risk: 'none' }],
    ['modes', { modes: [] }],
    ['phrases.1', { phrases: ['a', ''] }],
    ['related.0', { related: ['a/b'] }],
    ['idempotent', { idempotent: 'yes' }],
    ['latencyMs', { latencyMs: 0 }],
    ['extraction.nameField', { extraction: { path: '$root', type: 'page' } }],
    ['timeoutMs', { timeoutMs: -1 }],
    ['timeoutMs', { timeoutMs: Number.NaN }],
    ['execute', { execute: 'handler.js' }],
    ['extract', { extract: () => [], extraction: full.extraction }],
    ['handler', { handler: () => 1 }],
  ])('%s: %o', (field, change) => {
    expect(() => defineTool({ ...bare, ...change })).toThrow(
      expect.objectContaining({ code: 'TOOL_INVALID', facts: expect.objectContaining({ field }) }),
    )
  })

  test('the message names the tool, the field and the expected value', () => {
    expect(() => defineTool({ ...bare, version: '1' })).toThrowErrorMatchingInlineSnapshot(
      `[WorkspaceError: Tool "search", field "version": must be a semantic version such as 1.0.0.]`,
    )
    expect(() =>
      defineTool({ ...bare, handler: 1 } as typeof bare),
    ).toThrowErrorMatchingInlineSnapshot(
      `[WorkspaceError: Tool "search": "handler" is not a field of a tool.]`,
    )
    expect(() =>
      defineTool({ ...bare, inputSchema: { type: 'text' } }),
    ).toThrowErrorMatchingInlineSnapshot(
      `[WorkspaceError: Tool "search", inputSchema: The schema is wrong at the top: "type" must be one of object, array, string, number, integer, boolean, null, or a list of them.]`,
    )
  })

  test('an error of a schema keeps its code and names the tool', () => {
    expect(() => defineTool({ ...bare, inputSchema: { $ref: 'https://x/y' } })).toThrow(
      expect.objectContaining({
        code: 'SCHEMA_REMOTE_REF',
        message: expect.stringContaining('Tool "search", inputSchema:'),
        facts: { reference: 'https://x/y', place: '', tool: 'search', field: 'inputSchema' },
      }),
    )
  })
})

test('names that break look-ups are ordinary names', () => {
  for (const name of ['__proto__', 'constructor', 'toString']) {
    expect(defineTool({ ...bare, name }).name).toBe(name)
  }
})

test('a tool is frozen at every depth', () => {
  const tool = defineTool({ ...bare, phrases: ['a'], inputSchema: z.object({ a: z.string() }) })
  const parts = [tool, tool.phrases, tool.inputSchema, tool.inputSchema['properties']]
  expect(parts.map((part) => Object.isFrozen(part))).toEqual([true, true, true, true])
})

test('changing a definition does not change its tool', () => {
  const phrases = ['a']
  const tool = defineTool({ ...bare, phrases })
  phrases.push('b')
  expect(tool.phrases).toEqual(['a'])
})

describe('the hash', () => {
  const original = bindTool(full)

  test('covers every field', () => {
    const changes: Record<Exclude<keyof ToolDefinition, 'byDefault' | 'annotations'>, unknown> = {
      name: 'find',
      description: 'Search pages.',
      version: '2.1.1',
      category: 'utility',
      topic: 'images',
      risk: 'moderate',
      modes: ['voice'],
      phrases: [],
      related: [],
      summary: 'Find pages.',
      documentation: '# Search',
      guidance: { before: 'Ask which site.' },
      requiresConfirmation: true,
      idempotent: false,
      background: true,
      polling: true,
      latencyMs: 900,
      extraction: { ...full.extraction, isArray: false },
      inputSchema: { ...full.inputSchema, description: 'x' },
      outputSchema: { type: 'array' },
      inputExamples: [{ input: { query: 'x' } }],
      strict: true,
      providerOptions: { anthropic: { deferLoading: true } },
    }
    const hashes = Object.entries(changes).map(
      ([field, value]) => bindTool({ ...full, [field]: value } as ToolDefinition).hash,
    )
    expect(new Set([original.hash, ...hashes]).size).toBe(hashes.length + 1)
  })

  test('does not depend on annotations, which a stored definition has', () => {
    const annotations = { title: 'Search', openWorldHint: false }
    const annotated = bindTool({ ...full, annotations })
    expect(annotated.hash).toBe(original.hash)
    expect(bindTool(JSON.parse(JSON.stringify(toolDefinition(annotated)))).annotations).toEqual(
      annotations,
    )
    expect(() => defineTool({ ...bare, annotations: { destructive: true } as object })).toThrow(
      expect.objectContaining({
        code: 'TOOL_INVALID',
        facts: { tool: bare.name, field: 'annotations' },
      }),
    )
  })

  test('does not depend on the order of keys', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(Object.keys(full), { minLength: 17 }), (keys) => {
        const shuffled = Object.fromEntries(
          keys.map((key) => [key, reversed(full[key as keyof ToolDefinition])]),
        )
        expect(bindTool(shuffled as unknown as ToolDefinition).hash).toBe(original.hash)
      }),
    )
  })

  test('does not depend on the handler', () => {
    expect(bindTool(full, () => 1).hash).toBe(original.hash)
    expect(defineTool({ ...bare, execute: () => 1, timeoutMs: 5 }).hash).toBe(defineTool(bare).hash)
  })
})

describe('a tool bound from its stored definition', () => {
  test.each<{ of: string; tool: Tool }>([
    { of: 'no arguments', tool: defineTool(bare) },
    {
      of: 'zod',
      tool: defineTool({
        ...bare,
        inputSchema: z.object({ a: z.int().default(1) }),
        outputSchema: z.object({ b: z.string() }),
      }),
    },
    {
      of: 'a union',
      tool: defineTool({
        ...bare,
        inputSchema: z.union([z.object({ a: z.int() }), z.object({ b: z.int() })]),
      }),
    },
    {
      of: 'plain JSON Schema',
      tool: defineTool({
        ...bare,
        inputSchema: { properties: { a: {} }, oneOf: [{ required: ['a'] }] },
      }),
    },
    { of: 'every field', tool: bindTool(full) },
  ])('has the same hash ($of)', ({ tool }) => {
    const stored = JSON.parse(JSON.stringify(toolDefinition(tool))) as ToolDefinition
    expect(bindTool(stored).hash).toBe(tool.hash)
    expect(toolDefinition(bindTool(stored))).toEqual(stored)
  })

  test('is unbound without a handler and runs the one it is given', async () => {
    expect(bindTool(full).execute).toBeUndefined()
    const bound = bindTool(bindTool(full), () => 'ran')
    expect(await bound.execute?.({}, {} as never)).toBe('ran')
  })

  test('refuses arguments as the original does', async () => {
    const tool = bindTool(
      toolDefinition(defineTool({ ...bare, inputSchema: z.object({ a: z.int() }) })),
    )
    expect(await tool.parseInput({ a: 1 })).toEqual({ ok: true, value: { a: 1 } })
    expect(await tool.parseInput({ a: 1, b: 2 })).toMatchObject({ ok: false })
  })
})

function reversed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reversed(member)]),
  )
}

describe('an unknown field is refused, with the field that was meant', () => {
  test.each<[field: string, meant: string]>([
    ['parameters', 'inputSchema'],
    ['args', 'inputSchema'],
    ['arguments', 'inputSchema'],
    ['schema', 'inputSchema'],
    ['input', 'inputSchema'],
    ['input_schema', 'inputSchema'],
    ['inputSchmea', 'inputSchema'],
    ['output', 'outputSchema'],
    ['returns', 'outputSchema'],
    ['run', 'execute'],
    ['handler', 'execute'],
    ['call', 'execute'],
    ['fn', 'execute'],
    ['invoke', 'execute'],
    ['exec', 'execute'],
    ['needsApproval', 'requiresConfirmation'],
    ['desc', 'description'],
    ['timeout', 'timeoutMs'],
  ])('%s: did you mean %s', (field, meant) => {
    expect(() => defineTool({ ...bare, [field]: {} })).toThrow(
      expect.objectContaining({
        code: 'TOOL_INVALID',
        message: `Tool "search": "${field}" is not a field of a tool.`,
        hint: `Did you mean "${meant}"?`,
        facts: { tool: 'search', field },
      }),
    )
  })

  test('or with all fields, if none is near', () => {
    expect(() => defineTool({ ...bare, zzz: 1 } as typeof bare)).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('name, description, version') }),
    )
  })

  test('before a field with a wrong value', () => {
    expect(() => defineTool({ parameters: {}, run: 1 } as unknown as typeof bare)).toThrow(
      expect.objectContaining({ message: '"parameters" is not a field of a tool.' }),
    )
  })
})

test.each([undefined, null, 'search', () => 1, []])('%o is not a definition', (definition) => {
  expect(() => defineTool(definition as unknown as typeof bare)).toThrow(
    expect.objectContaining({
      code: 'TOOL_INVALID',
      message: 'The definition of a tool must be an object.',
    }),
  )
})
