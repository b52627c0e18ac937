import { createCatalog, defineTool, toolsFromAiSdk, VirtualWorkspace } from 'loadout'
import { providerSchema, providerTool } from 'loadout/adapter'
import { tool } from 'ai'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { WIRE_CLIENTS } from '../../../scripts/wires/wire-clients.ts'
import { openWireServer } from '../../wires/server/open-wire-server.ts'
import { CLIENT_DRIVERS } from './wire-sessions/client-drivers.ts'

const ODATA = {
  type: 'object',
  properties: {
    $top: { type: 'integer', description: 'How many rows.' },
    filters: {
      type: 'array',
      items: {
        type: 'object',
        properties: { '@odata.type': { type: 'string' }, 値: { type: 'string' } },
        required: ['@odata.type'],
        additionalProperties: false,
      },
    },
  },
  required: ['$top'],
}

async function withTool(more: object = {}, provider: 'anthropic' | 'openai' = 'anthropic') {
  const got: unknown[] = []
  const list = defineTool({
    name: 'list',
    description: 'Lists rows.',
    category: 'retrieval',
    inputSchema: ODATA,
    ...more,
    execute: (input) => void got.push(input),
  })
  const catalog = await createCatalog({ tools: [list] })
  const workspace = await VirtualWorkspace.open({ catalog, provider })
  return { got, workspace, catalog, list }
}

test('the keys that Anthropic does not take are legal parts, and their descriptions name the own keys', () => {
  const { schema, losses } = providerSchema(ODATA, 'anthropic')
  expect(schema).toMatchObject({
    properties: {
      _top: { description: '"$top": How many rows.' },
      filters: {
        items: {
          properties: { '_odata.type': { description: '"@odata.type".' }, _: {} },
          required: ['_odata.type'],
        },
      },
    },
    required: ['_top'],
  })
  expect(losses.map(({ what, message }) => `${what}: ${message}`)).toMatchInlineSnapshot(`
    [
      "renamed: "$top" is not a key that the provider takes: it is sent as "_top".",
      "renamed: "@odata.type" is not a key that the provider takes: it is sent as "_odata.type".",
      "renamed: "値" is not a key that the provider takes: it is sent as "_".",
    ]
  `)
  expect(providerSchema(ODATA, 'openai')).toEqual({ schema: ODATA, losses: [] })
})

test('a key does not take the name of another key, and examples have the keys of the schema', () => {
  const inputSchema = { type: 'object', properties: { $a: {}, _a: {}, '@b': {}, '#b': {} } }
  const inputExamples = [{ input: { $a: 1, _a: 2, '@b': 3, '#b': 4, $other: 5 } }]
  const sent = providerTool({ name: 'a', description: '', inputSchema, inputExamples }, 'anthropic')
  const keys = Object.keys(sent.input_schema['properties'] as object)
  expect(new Set(keys).size).toBe(4)
  expect(keys).toContain('_a')
  expect(keys.filter((key) => /^_[ab]__[0-9a-v]{20}$/.test(key))).toHaveLength(3)
  expect(Object.keys(sent.input_examples?.[0] ?? {})).toEqual([...keys, '$other'])
})

test('a refusal names to the model the keys that it was sent, and to the host the own ones', async () => {
  const { workspace, got } = await withTool()
  const wrong = { filters: [{ 値: 7 }] }
  const sent = { filters: [{ _: 7 }] }
  const asModel = await workspace.callTool('list', sent, { caller: 'model' })
  expect(asModel.ok ? '' : asModel.error.message).toContain('/_top: is required')
  expect(asModel.ok ? '' : asModel.error.message).toContain('/filters/0/_odata.type: is required')
  expect(asModel.ok ? '' : asModel.error.message).toContain('/filters/0/_: must be string')
  const asHost = await workspace.callTool('list', wrong)
  expect(asHost.ok ? '' : asHost.error.message).toContain('/$top: is required')
  await workspace.callTool('list', { _top: 1, filters: [{ '_odata.type': 't', _: 'v' }] })
  await workspace.callTool('list', { $top: 2 }, { caller: 'model' })
  expect(got).toEqual([{ $top: 1, filters: [{ '@odata.type': 't', 値: 'v' }] }, { $top: 2 }])
  await workspace.close()
})

test('explain says what differs in the schema that the provider gets', async () => {
  const { workspace } = await withTool({ strict: true })
  const other = await withTool({ strict: true }, 'openai')
  expect(other.workspace.explain('list').sentChanges).toEqual([
    'It is sent without "strict", because its schema does not require "filters" (require it, and let it be null).',
  ])
  await other.workspace.close()
  expect(workspace.explain('list').sentChanges).toMatchInlineSnapshot(`
    [
      ""$top" is not a key that the provider takes: it is sent as "_top".",
      ""@odata.type" is not a key that the provider takes: it is sent as "_odata.type".",
      ""値" is not a key that the provider takes: it is sent as "_".",
    ]
  `)
  await workspace.close()
})

test.each(CLIENT_DRIVERS)(
  '$name: a call under sent keys that a person approved is made once, under the own keys',
  async ({ options, converse }) => {
    const got: unknown[] = []
    const pay = defineTool({
      name: 'pay',
      description: 'Pays.',
      category: 'action',
      requiresConfirmation: true,
      inputSchema: { type: 'object', properties: { $sum: { type: 'integer' } } },
      execute: (input) => void got.push(input),
    })
    const catalog = await createCatalog({ tools: [pay] })
    const workspace = await VirtualWorkspace.open({
      catalog,
      ...options,
      confirmations: { keepArguments: true },
    })
    const server = await openWireServer({
      answers: [{ calls: [{ name: 'pay', input: { _sum: 7 } }] }, 'Done.'],
    })
    const conversation = converse(server.url, {})
    const { signal } = new AbortController()
    await conversation.turn(workspace, 'Pay.', signal)
    const [asked] = workspace.state.confirmations
    expect(asked?.arguments).toEqual({ $sum: 7 })
    await workspace.approve(asked?.id ?? '', { by: 'user' })
    await conversation.turn(workspace, null, signal)
    expect(got).toEqual([{ $sum: 7 }])
    expect(server.violations).toEqual([])
    await workspace.close()
    await server.close()
  },
)

test('the functions of a tool of the AI SDK get the arguments under their own keys', async () => {
  const seen: unknown[] = []
  const tools = toolsFromAiSdk({
    list: tool({
      inputSchema: z.object({ $top: z.number() }),
      execute: ({ $top }) => $top,
      toModelOutput: ({ input, output }) => {
        seen.push(input)
        return { type: 'text', value: String(output) }
      },
    }),
  })
  const client = WIRE_CLIENTS.find(({ name }) => name === 'AI SDK, Anthropic')
  const workspace = await VirtualWorkspace.open({
    catalog: await createCatalog({ tools }),
    provider: 'anthropic',
  })
  const server = await openWireServer({
    answers: [[{ name: 'list', input: { _top: 3 } }], 'Done.'],
  })
  await client?.run(server.url, workspace)
  expect(seen).toContainEqual({ $top: 3 })
  expect(server.violations).toEqual([])
  await workspace.close()
  await server.close()
})

test.each<{ why: string; provider: 'openai' | 'anthropic'; schema: object; told: string }>([
  {
    why: 'an argument is optional',
    provider: 'openai',
    schema: { properties: { a: { type: 'string' } }, additionalProperties: false },
    told: 'the top does not require "a" (require it, and let it be null).',
  },
  {
    why: 'an inner object is open',
    provider: 'anthropic',
    schema: {
      properties: { a: { type: 'object' } },
      required: ['a'],
      additionalProperties: false,
    },
    told: '"/properties/a" allows further members ("additionalProperties" must be false).',
  },
  {
    why: 'a list has places',
    provider: 'openai',
    schema: {
      properties: { a: { type: 'array', prefixItems: [{ type: 'string' }] } },
      required: ['a'],
      additionalProperties: false,
    },
    told: '"/properties/a" has "prefixItems".',
  },
])(
  'a tool with strict is sent without it to $provider where $why, and the catalog says so',
  async ({ provider, schema, told }) => {
    const inputSchema = { type: 'object', ...schema }
    const { catalog, workspace, list } = await withTool({ inputSchema, strict: true }, provider)
    const form = provider === 'openai' ? 'openai' : 'anthropic'
    expect(providerTool(list, form).strict ?? false).toBe(false)
    const found = catalog.diagnostics.filter(({ code }) => code === 'strict-not-sent')
    expect(found.map(({ message }) => message).join(' ')).toContain(told)
    await workspace.close()
  },
)

test('a strict tool that a provider takes stays strict, and nothing is said', async () => {
  const inputSchema = {
    type: 'object',
    properties: { a: { type: ['string', 'null'] } },
    required: ['a'],
    additionalProperties: false,
  }
  const { catalog, workspace, list } = await withTool({ inputSchema, strict: true })
  expect(providerTool(list, 'openai').strict).toBe(true)
  expect(providerTool(list, 'anthropic').strict).toBe(true)
  expect(catalog.diagnostics).toEqual([])
  await workspace.close()
})
