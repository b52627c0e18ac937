import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseToolFolder } from '../../../src/skills/parse/parse-tool-folder.ts'

const SOUND = {
  toolId: 'kb_search',
  version: '1.2.0',
  category: 'retrieval',
  description: 'Search the knowledge base.',
  parameters: {
    type: 'object',
    properties: { query: { type: 'string' } },
    required: ['query'],
    additionalProperties: false,
  },
  sideEffects: false,
  idempotent: true,
  requiresConfirmation: false,
  allowedModes: ['voice', 'text'],
  latencyBudgetMs: 800,
}

const DOC =
  '# kb_search\n\n## Summary\n\nFinds.\n\n## Preconditions\n\n## Postconditions\n\n## Failure Modes'

const read = (schema: object | string, texts: { summary?: string; documentation?: string } = {}) =>
  parseToolFolder({
    file: 'tools/kb_search/schema.json',
    folder: 'kb_search',
    schema: typeof schema === 'string' ? schema : JSON.stringify(schema, null, 2),
    ...texts,
  })

test('a tool folder of the published architecture is a tool without a handler', async () => {
  const { tool, diagnostics } = read(SOUND, {
    summary: 'Finds articles.\nRead-only.\n',
    documentation: DOC,
  })
  expect(diagnostics).toEqual([])
  expect(tool).toMatchObject({
    name: 'kb_search',
    version: '1.2.0',
    category: 'retrieval',
    risk: 'safe',
    modes: ['voice', 'text'],
    latencyMs: 800,
    summary: 'Finds articles.\nRead-only.',
    documentation: DOC,
  })
  expect(tool?.execute).toBeUndefined()
  expect(await tool?.parseInput({ query: 'a', extra: 1 })).toMatchObject({ ok: false })
})

test('a tool folder can say that its calls run in the background', () => {
  expect(read({ ...SOUND, background: true }).tool).toMatchObject({ background: true })
  expect(read(SOUND).tool).not.toHaveProperty('background')
  expect(read({ ...SOUND, background: 'yes' }).diagnostics).toMatchObject([
    { message: expect.stringContaining('background') },
  ])
})

test('a schema at the top of the file is the schema of the arguments', async () => {
  const { toolId, description, parameters, category } = SOUND
  const { tool, diagnostics } = read({ toolId, description, category, ...parameters })
  expect(diagnostics).toMatchObject([{ code: 'schema-at-top', severity: 'info', line: 1 }])
  expect(tool).toMatchObject({ name: 'kb_search', category: 'retrieval', description })
  expect(tool?.inputSchema).toEqual(read(SOUND).tool?.inputSchema)
  expect(await tool?.parseInput({ query: 'a' })).toMatchObject({ ok: true })
  expect(await tool?.parseInput({})).toMatchObject({ ok: false })
})

test.each([
  { what: 'beside "parameters"', fields: { parameters: SOUND.parameters, type: 'object' } },
  { what: 'of something else than an object', fields: { type: 'string' } },
])('a schema keyword $what is a field that is not known', ({ fields }) => {
  const { diagnostics } = read({ toolId: 'kb_search', description: 'Search.', ...fields })
  expect(diagnostics).toMatchObject([{ code: 'unknown-field', severity: 'warning' }])
})

test('without a description the summary is used and reported', () => {
  const { description: _, ...rest } = SOUND
  const { tool, diagnostics } = read(rest, { summary: 'Finds articles.\nRead-only.' })
  expect(tool?.description).toBe('Finds articles.\nRead-only.')
  expect(diagnostics).toMatchObject([
    { code: 'description-missing', severity: 'warning', line: 1, column: 1 },
  ])
})

test('our own fields are read', () => {
  const { tool, diagnostics } = read({
    ...SOUND,
    topic: 'articles',
    risk: 'destructive',
    phrases: ['find an article'],
    related: ['kb_get'],
    output: { type: 'object' },
    extraction: { path: 'rows', type: 'article', nameField: 'title', isArray: true },
  })
  expect(diagnostics).toEqual([])
  expect(tool).toMatchObject({
    topic: 'articles',
    risk: 'destructive',
    phrases: ['find an article'],
    related: ['kb_get'],
    outputSchema: { type: 'object' },
    extraction: { path: 'rows', type: 'article', nameField: 'title', isArray: true },
  })
})

test('a tool that says it has side effects is not safe, whatever its category', () => {
  expect(read({ ...SOUND, sideEffects: true }).tool?.risk).toBe('moderate')
})

test.each([
  { name: 'an unknown field', change: { latencyBudget: 1 }, code: 'unknown-field' },
  { name: 'a list where phrases should be', change: { phrases: 'find' }, code: 'field-kind' },
  { name: 'another name than its folder', change: { toolId: 'other' }, code: 'name-mismatch' },
  { name: 'no name', change: { toolId: undefined }, code: 'name-missing' },
])('$name is read with a warning', ({ change, code }) => {
  const { tool, diagnostics } = read({ ...SOUND, ...change })
  expect(tool).not.toBeNull()
  expect(diagnostics).toMatchObject([{ code, severity: 'warning' }])
})

test.each([
  {
    name: 'a confirmation that is no flag',
    schema: { ...SOUND, requiresConfirmation: 'yes' },
    code: 'field-kind',
  },
  {
    name: 'modes that are no list',
    schema: { ...SOUND, allowedModes: 'voice' },
    code: 'field-kind',
  },
  { name: 'no such category', schema: { ...SOUND, category: 'read' }, code: 'field-kind' },
  {
    name: 'parameters that are no schema',
    schema: { ...SOUND, parameters: [] },
    code: 'field-kind',
  },
  {
    name: 'a schema from the network',
    schema: { ...SOUND, parameters: { $ref: 'https://example.com/s.json' } },
    code: 'tool-invalid',
  },
  { name: 'no version', schema: { ...SOUND, version: 'new' }, code: 'tool-invalid' },
  {
    name: 'no description',
    schema: { ...SOUND, description: undefined },
    code: 'description-missing',
  },
  { name: 'no object', schema: '[1]', code: 'json-invalid' },
  {
    name: 'a key given twice',
    schema: '{\n  "toolId": "a",\n  "toolId": "b"\n}',
    code: 'duplicate-key',
  },
])('a tool with $name is not loaded: $code', ({ schema, code }) => {
  const { tool, diagnostics } = read(schema)
  expect(tool).toBeNull()
  expect(diagnostics.map((one) => one.code)).toContain(code)
})

test('broken JSON is found by line and column', () => {
  expect(read('{\n  "toolId": "a",\n  "version" 1\n}').diagnostics).toMatchObject([
    { code: 'json-invalid', line: 3, column: 13 },
  ])
})

test('a wrong field is found by line and column', () => {
  expect(read({ ...SOUND, risk: 'none' }).diagnostics).toMatchObject([
    { code: 'field-kind', line: 26, column: 3 },
  ])
})

test('deeply nested JSON is a finding, not a crash', () => {
  const deep = `{"toolId":"kb_search","description":"d","parameters":${'{"not":'.repeat(5_000)}{}${'}'.repeat(5_000)}}`
  expect(read(deep)).toMatchObject({ tool: null, diagnostics: [{ code: 'tool-invalid' }] })
})

test('a summary that is too long for prompts is reported', () => {
  expect(read(SOUND, { summary: 'a\nb\nc\nd\ne' }).diagnostics).toMatchObject([
    { code: 'summary-too-long' },
  ])
})

test.each(['__proto__', 'constructor', 'toString'])(
  '%s is an argument like any other',
  async (name) => {
    const schema = `{"toolId":"kb_search","description":"d","parameters":{"type":"object","properties":{"${name}":{"type":"string"}}}}`
    const { tool } = read(schema)
    const given: unknown = JSON.parse(`{"${name}":"text"}`)
    expect(await tool?.parseInput(given)).toMatchObject({ ok: true })
  },
)

test('for any JSON in a schema, reading ends with a tool or an error', () => {
  const fields = fc.record(
    {
      parameters: fc.jsonValue(),
      output: fc.jsonValue(),
      extraction: fc.jsonValue(),
      risk: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(fields, (values) => {
      const { tool, diagnostics } = read({ toolId: 'kb_search', description: 'd', ...values })
      expect(tool === null).toBe(diagnostics.some(({ severity }) => severity === 'error'))
    }),
  )
})

test('a folder named with hyphens may contain a tool named with underscores', () => {
  const parse = (folder: string) =>
    parseToolFolder({ file: 'schema.json', folder, schema: JSON.stringify(SOUND) }).diagnostics
  expect(parse('kb-search')).toEqual([])
  expect(parse('kb search')).toMatchObject([{ code: 'name-mismatch' }])
})

test.each([
  { sideEffects: 'none', risk: 'safe' },
  { sideEffects: 'read_only', risk: 'safe' },
  { sideEffects: 'writes', risk: 'moderate' },
  { sideEffects: true, risk: 'moderate' },
])('side effects $sideEffects make a retrieval tool $risk', ({ sideEffects, risk }) => {
  expect(read({ ...SOUND, sideEffects })).toMatchObject({ tool: { risk }, diagnostics: [] })
})

test.each([
  { what: 'no section', documentation: '# kb_search', missing: 4 },
  { what: 'its sections', documentation: DOC, missing: 0 },
  {
    what: 'plainer headings',
    documentation: '## Summary\r\n## When to use\r\n## Returns\r\n### errors',
    missing: 0,
  },
  {
    what: 'a heading in a fence',
    documentation: DOC.replace('## Summary', '```\n## Summary\n```'),
    missing: 1,
  },
])('documentation with $what lacks $missing', ({ documentation, missing }) => {
  const { tool, diagnostics } = read(SOUND, { documentation })
  expect(tool?.documentation).toBe(documentation)
  expect(diagnostics).toMatchObject(missing === 0 ? [] : [{ code: 'doc-sections' }])
  expect(diagnostics[0]?.message.match(/, /g)?.length ?? 0).toBe(Math.max(0, missing - 1))
})

test('a guide is documentation, and its first paragraph the summary', () => {
  const guide = '# kb_search\n\nFinds articles\nby meaning.\n\n## Examples\n'
  expect(
    parseToolFolder({
      file: 'schema.json',
      folder: 'kb_search',
      schema: JSON.stringify(SOUND),
      guide,
    }),
  ).toMatchObject({
    tool: { summary: 'Finds articles by meaning.', documentation: guide.trim() },
    diagnostics: [],
  })
})

test('a tool described in Markdown alone takes any arguments and counts as an action', async () => {
  const text =
    '---\nname: plot\ndescription: Plots.\nmetadata:\n  loadout.phrases: draw a chart, plot it\n  loadout.risk: safe\n---\n\n# Plot\n'
  const { tool, diagnostics } = parseToolFolder({
    file: 'tools/plot/TOOL.md',
    folder: 'plot',
    tool: { text, file: 'tools/plot/TOOL.md' },
  })
  expect(diagnostics).toEqual([])
  expect(tool).toMatchObject({
    name: 'plot',
    category: 'action',
    risk: 'safe',
    phrases: ['draw a chart', 'plot it'],
    documentation: '# Plot',
  })
  expect(await tool?.parseInput({ any: 1 })).toMatchObject({ ok: true })
})

test('schema.json wins over TOOL.md', () => {
  const text = '---\nname: other\ndescription: Other.\n---\nDoc.'
  const { tool } = parseToolFolder({
    file: 'tools/kb_search/schema.json',
    folder: 'kb_search',
    schema: JSON.stringify(SOUND),
    tool: { text, file: 'tools/kb_search/TOOL.md' },
  })
  expect(tool).toMatchObject({ name: 'kb_search', category: 'retrieval', documentation: 'Doc.' })
})

test.each([
  {
    fields: { parameters: { type: 'object', additionalProperties: true } },
    code: 'parameters-open',
  },
  { fields: { guidance: { before: 'Search first.', pitfalls: ['None.'] } }, code: undefined },
  { fields: { guidance: 'Search first.' }, code: 'field-kind' },
  { fields: { strict: true, inputExamples: [{ input: { query: 'a' } }] }, code: undefined },
  { fields: { inputExamples: [{ query: 'a' }] }, code: 'field-kind' },
  { fields: { providerOptions: { anthropic: true } }, code: 'field-kind' },
])('$fields: $code', ({ fields, code }) => {
  const { diagnostics } = read({ ...SOUND, ...fields })
  expect(diagnostics.map((one) => one.code)).toEqual(code === undefined ? [] : [code])
})

test('a wrong protective key of a TOOL.md prevents the tool from loading', () => {
  const text = '---\nname: x\ndescription: D.\nmetadata:\n  loadout.risk: none\n---\n'
  expect(
    parseToolFolder({ file: 'x/TOOL.md', folder: 'x', tool: { text, file: 'x/TOOL.md' } }),
  ).toMatchObject({ tool: null, diagnostics: [{ code: 'field-kind', line: 5 }] })
})

test('a TOOL.md without front matter next to a schema.json is documentation, as such a SKILL.md is instructions', () => {
  const texts = {
    file: 'tools/find/schema.json',
    folder: 'find',
    schema:
      '{"toolId": "find", "description": "Finds it.", "category": "retrieval", "parameters": {"type": "object"}}',
    tool: { text: '# Find\n\nUse it to find.\n', file: 'tools/find/TOOL.md' },
  }
  const { tool, diagnostics } = parseToolFolder(texts)
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  expect(tool).toMatchObject({ name: 'find', documentation: '# Find\n\nUse it to find.' })
  const { schema: _, ...alone } = texts
  expect(parseToolFolder(alone).diagnostics).toMatchObject([{ code: 'front-matter-missing' }])
})
