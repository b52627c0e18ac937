import { expect, test } from 'vitest'
import { readTools } from '../../../../src/connections/mcp/client/read-tools.ts'

const terms = { name: 's', prefix: 's_', trusted: false, sendsHeaders: true }

const argument = (name: unknown, type: unknown = 'string') => ({ type, 'x-mcp-header': name })

async function read(inputSchema: object, sendsHeaders = true) {
  const wire = [{ name: 'tool', inputSchema: { type: 'object', ...inputSchema } }]
  return (await readTools(wire, undefined, { ...terms, sendsHeaders })).listing
}

test.each([
  { what: 'no name', schema: { properties: { a: argument('') } }, reason: /no name of a header/u },
  {
    what: 'a name with a line break',
    schema: { properties: { a: argument('A\r\nHost: evil') } },
    reason: /no name of a header/u,
  },
  {
    what: 'a number',
    schema: { properties: { a: argument('A', 'number') } },
    reason: /a string, an integer or a boolean/u,
  },
  {
    what: 'the same name twice',
    schema: { properties: { a: argument('Region'), b: argument('region') } },
    reason: /Two arguments have the header "region"/u,
  },
  {
    what: 'an element of an array',
    schema: { properties: { a: { type: 'array', items: argument('A') } } },
    reason: /only for arguments/u,
  },
  {
    what: 'one of several schemas',
    schema: { anyOf: [{ properties: { a: argument('A') } }] },
    reason: /only for arguments/u,
  },
])(
  'a tool that asks for a header with $what is left out with the reason',
  async ({ schema, reason }) => {
    const { tools, leftOut } = await read(schema)
    expect(tools).toEqual([])
    expect(leftOut).toEqual([{ tool: 'tool', reason: expect.stringMatching(reason) }])
    // Over a pipe no headers are sent.
    expect((await read(schema, false)).tools).toHaveLength(1)
  },
)

test('a tool that asks for headers with names, at any depth, is offered', async () => {
  const deep = { type: 'object', properties: { b: argument('B', 'integer') } }
  const values = { default: { 'x-mcp-header': '' } }
  const schema = { properties: { a: { ...argument('A'), ...values }, deep } }
  expect((await read(schema)).leftOut).toEqual([])
})
