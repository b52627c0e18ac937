import { expect, test } from 'vitest'
import { createCatalog, defineTool, type Tool } from 'loadout'
import { mcpServer } from 'loadout/mcp'
import { aSkill, aWorkspace } from '../../../workspace/a-workspace.ts'
import { connected, endpointFor } from './served.ts'

type Hints = NonNullable<Tool['annotations']>

const SAYS = [undefined, true, false] as const

const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const

const RISKS = ['safe', 'moderate', 'destructive'] as const

/** The four hints, each given as true, as false, and not at all. */
const ANNOTATIONS: readonly Hints[] = HINTS.reduce<readonly Hints[]>(
  (all, hint) =>
    all.flatMap((one) => SAYS.map((said) => (said === undefined ? one : { ...one, [hint]: said }))),
  [{}],
)

/** What a definition says of its own risk. */
const FIELDS = [undefined, 'retrieval', 'utility', 'action'].flatMap((category) =>
  [undefined, ...RISKS].flatMap((risk) =>
    SAYS.map((idempotent) => ({ category, risk, idempotent })),
  ),
)

const make = (name: string, more: object) =>
  defineTool({
    name,
    description: `Does ${name}.`,
    execute: () => name,
    ...(JSON.parse(JSON.stringify(more)) as object),
  })

const WRITTEN = [
  ...FIELDS.map((fields, at) => make(`fields_${at}`, fields)),
  ...ANNOTATIONS.map((annotations, at) => make(`hints_${at}`, { annotations })),
] as readonly Tool[]

/** Serves tools, and returns them as the official client and as ours read them. */
async function readBack(
  trusted: boolean,
  definitions: Parameters<typeof createCatalog>[0] = { tools: WRITTEN },
) {
  const catalog = await createCatalog(definitions)
  const isPinned = definitions.skills === undefined
  const endpoint = await endpointFor({
    workspace: { catalog, ...(isPinned && { discovery: { pinned: ['*'] } }) },
    mode: isPinned ? 'live' : 'fixed',
  })
  const { tools } = await (await connected(endpoint, '2025-11-25')).listTools()
  const session = await aWorkspace({})
  const fetch = ((url: URL, init?: RequestInit) => {
    const headers = new Headers(init?.headers)
    headers.set('host', 'localhost')
    return endpoint.fetch(new Request(url, { ...init, headers }))
  }) as never
  const server = { name: 's', prefix: '', url: 'http://localhost/mcp', fetch, trusted } as const
  const attached = await session.attach(mcpServer({ ...server, revision: '2025-11-25' }))
  expect(attached).toMatchObject({ ok: true })
  const ours = new Map(session.tools().map(({ name, tool }) => [name, tool]))
  await session.close()
  return { served: new Map(tools.map((tool) => [tool.name, tool])), ours }
}

const rank = (tool: Pick<Tool, 'risk'> | undefined) => RISKS.indexOf(tool?.risk ?? 'safe')

test('the hints of a definition are served as they are, and our client keeps them', async () => {
  const { served, ours } = await readBack(false)
  for (const { name, annotations = {} } of WRITTEN.slice(FIELDS.length)) {
    expect([name, served.get(name)?.annotations]).toEqual([name, annotations])
    expect([name, ours.get(name)?.annotations ?? {}]).toEqual([name, annotations])
  }
})

test('a client that trusts the server reads no tool as more harmless than its definition', async () => {
  const { ours } = await readBack(true)
  const laxer = WRITTEN.slice(0, FIELDS.length).filter(({ name, risk, idempotent, category }) => {
    const read = ours.get(name)
    const isReading = category !== 'action' || read?.category === 'action'
    return rank(read) < rank({ risk }) || (read?.idempotent === true && !idempotent) || !isReading
  })
  expect(laxer.map(({ category, risk, idempotent }) => [category, risk, idempotent])).toEqual([])
})

test.each([
  { category: 'retrieval' },
  { category: 'retrieval', idempotent: false },
  { category: 'action' },
  { category: 'action', idempotent: true },
  { category: 'action', risk: 'destructive' },
  { category: 'action', risk: 'destructive', idempotent: true },
  { risk: 'destructive' },
  { idempotent: true },
  {},
])('a client that trusts the server reads the same of %j', async (fields) => {
  const { ours } = await readBack(true)
  const own = make('own', fields)
  const { name } = WRITTEN[FIELDS.findIndex((one) => same(one, fields))] as Tool
  const { category, risk, idempotent } = own
  expect(ours.get(name)).toMatchObject({ category, risk, idempotent })
})

function same(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

test('the tool that calls any other is not served as one that only reads and may be repeated', async () => {
  const { served, ours } = await readBack(true, { skills: [aSkill('shop')] })
  expect(served.get('call_tool')?.annotations).toEqual({ readOnlyHint: false })
  const read = { category: 'action', risk: 'moderate', idempotent: false }
  expect(ours.get('call_tool')).toMatchObject(read)
  expect(served.get('tool_search')?.annotations?.readOnlyHint).toBe(true)
})

test('a tool of a host that is named like it keeps what its author said', async () => {
  const tools = [make('call_tool', { category: 'action', risk: 'destructive' })]
  const { served } = await readBack(true, { tools })
  const hints = { readOnlyHint: false, destructiveHint: true }
  expect(served.get('call_tool')?.annotations).toEqual(hints)
})
