import {
  createCatalog,
  createMemoryLog,
  defineTool,
  succeed,
  VirtualWorkspace,
  type WorkspaceOptions,
} from 'loadout'
import { exportLog, importSession } from 'loadout/node'
import { openSqliteLog } from 'loadout/sqlite'
import { mkdtemp, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const byModel = (call: string) => ({ caller: 'model', call }) as const

type Value = (input: unknown) => unknown

async function opened(
  value: Value,
  options: Partial<WorkspaceOptions> = {},
  more: Partial<Parameters<typeof defineTool>[0]> = {},
): Promise<VirtualWorkspace> {
  const dump = defineTool({
    name: 'dump',
    description: 'Reads everything.',
    category: 'retrieval',
    inputSchema: { type: 'object', properties: { n: { type: 'number' } } },
    execute: value,
    ...more,
  } as Parameters<typeof defineTool>[0])
  return VirtualWorkspace.open({ catalog: await createCatalog({ tools: [dump] }), ...options })
}

/** The texts that the model reads of a call. */
async function read(workspace: VirtualWorkspace, tool: string, input: unknown, call: string) {
  const response = await workspace.callTool(tool, input, byModel(call))
  if (!response.ok) return response.error.message
  const { data, content } = response
  if (content === undefined) return typeof data === 'string' ? data : JSON.stringify(data)
  return content.flatMap((part) => ('text' in part ? (part.text ?? []) : [])).join('\n\n')
}

const handleIn = (text: string) => /"call":"(r\d+)","from":(\d+)/u.exec(text)?.slice(1) ?? []

/** Reads a result to its end, as the notes say. */
async function readAll(workspace: VirtualWorkspace): Promise<string> {
  let shown = await read(workspace, 'dump', {}, 'c')
  const [call = '', from = ''] = handleIn(shown)
  if (call === '') return shown
  let whole = shown.slice(0, Number(from))
  for (let at: number | undefined = Number(from), page = 0; at !== undefined; page += 1) {
    shown = await read(workspace, 'read_result', { call, from: at }, `p${page}`)
    const [head = '', ...text] = shown.split('\n\n')
    whole += text.join('\n\n')
    const next = /Read on from (\d+)/u.exec(head)?.[1]
    at = next === undefined ? undefined : Number(next)
  }
  return whole
}

const rows = (n: number) => Array.from({ length: n }, (_, id) => ({ id, name: `row ${id}` }))

test.each<[string, unknown]>([
  ['nothing', ''],
  ['one character', 'x'],
  ['rows of a text', 'a row of the table\n'.repeat(20_000)],
  ['one line', 'abcdefghij'.repeat(40_000)],
  ['blanks', ' '.repeat(900_000)],
  ['Chinese', '表格的一行文字'.repeat(20_000)],
  ['emoji of several parts', '👩‍👩‍👧‍👦🏳️‍🌈'.repeat(6_000)],
  ['a list', rows(12_000)],
  ['an object of lists', { a: rows(4_000), b: rows(4_000) }],
  ['broken JSON', `{"rows":[${'{"id":1},'.repeat(30_000)}`],
  ['more than memory keeps for the host', 'a row of the table\n'.repeat(126_000)],
])(
  'a model can read all of a result: %s',
  async (_, value) => {
    const workspace = await opened(() => value, { limits: { resultTokens: 20_000 } })
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    expect((await readAll(workspace)) === text).toBe(true)
  },
  60_000,
)

test('a model reads 25,000 tokens of a result, and the host has all of it', async () => {
  const text = 'a row of the table\n'.repeat(50_000)
  const workspace = await opened(() => text)
  const response = await workspace.callTool('dump', {}, byModel('c'))
  expect(response).toMatchObject({ ok: true, data: text, meta: { cut: text.length } })
  const [part, note] = (response.ok ? response.content : undefined) ?? []
  const shown = part?.type === 'text' ? part.text : ''
  expect(shown.length).toBeGreaterThan(50_000)
  expect(shown.length).toBeLessThan(150_000)
  expect(note?.type === 'text' && note.text.slice(0, 130)).toMatchInlineSnapshot(
    `"The result was cut. It has 950000 characters (about 300010 tokens), and these are the first 79123. The tool has done its work. Rea"`,
  )
  const byHost = await workspace.callTool('dump', {})
  expect(byHost).toMatchObject({ ok: true, data: text })
  expect(byHost.ok && byHost.content).toBeUndefined()
})

test('a tool has a limit of its own', async () => {
  const text = 'a row of the table\n'.repeat(2_000)
  const cut = await opened(() => text, {}, { resultTokens: 100 })
  expect((await read(cut, 'dump', {}, 'c')).length).toBeLessThan(1_000)
  const whole = await opened(
    () => text,
    { limits: { resultTokens: 10 } },
    { resultTokens: Infinity },
  )
  expect(await read(whole, 'dump', {}, 'c')).toBe(text)
})

test('read_result is offered from the first result that was cut, and answers ranges, searches and paths', async () => {
  const workspace = await opened(() => ({ rows: rows(9_000) }), { limits: { resultTokens: 500 } })
  const names = () => workspace.getAvailableTools().map(({ name }) => name)
  expect(names()).not.toContain('read_result')
  const [call] = handleIn(await read(workspace, 'dump', {}, 'c'))
  expect(names()).toContain('read_result')
  const ask = (input: object, id: string) => read(workspace, 'read_result', { call, ...input }, id)
  expect(await ask({ path: 'rows[8000].name' }, '1')).toContain('\n\nrow 8000')
  expect(await ask({ path: '/rows/8000/id' }, '2')).toContain('\n\n8000')
  expect(await ask({ path: 'rows.9000' }, '3')).toContain('a list of 9000')
  expect(await ask({ search: 'ROW 8999' }, '4')).toMatch(
    /^1 places in r\d+, "dump":\n\d+: .*row 8999/u,
  )
  expect(await ask({ search: 'no such (' }, '5')).toContain('Nothing was found')
  expect(await ask({ from: 0, to: 8 }, '6')).toContain('\n\n{"rows":')
  expect(await ask({ call: 'r99999' }, '7')).toContain('No ended call')
  expect(await ask({ call: null, tool: 'dump', path: 'rows[1].id' }, '8')).toContain('\n\n1')
  expect(await ask({ call: null, tool: 'dump', arguments: { n: 1 } }, '9')).toContain('No ended')
  expect(await ask({ search: 'row' }, '10')).toContain('More places follow')
})

test('read_result reads calls of the model only, not those of the host and of a person', async () => {
  const secret = (input: unknown) => `row ${JSON.stringify(input)} `.repeat(40)
  const log = createMemoryLog()
  const workspace = await opened(secret, { log, limits: { resultTokens: 50 } })
  for (const caller of ['host', 'user'] as const) {
    await workspace.callTool('dump', { n: 7 }, { caller, call: `of-${caller}` })
  }
  const mine = await read(workspace, 'dump', { n: 1 }, 'c')
  const [call = ''] = handleIn(mine)
  expect(await read(workspace, 'read_result', { call, from: 0 }, 'p')).toContain('"n":1')
  const asked = [
    { tool: 'dump', arguments: { n: 7 } },
    ...['of-host', 'of-user', ...Array.from({ length: 12 }, (_, at) => `r${at}`)].map((one) => {
      return { call: one }
    }),
  ]
  for (const [at, input] of asked.entries()) {
    const text = await read(workspace, 'read_result', input, `q${at}`)
    expect({ input, text }).toEqual({ input, text: expect.not.stringContaining('"n":7') })
  }
  await workspace.close()
})

test('read_result may be denied, and a host that lists the meta-tools is not given it', async () => {
  const long = 'row '.repeat(9_000)
  const limits = { resultTokens: 100 }
  const denied = await opened(() => long, {
    limits,
    policy: { permissions: { deny: ['read_result'] } },
  })
  await read(denied, 'dump', {}, 'c')
  const refused = await denied.callTool('read_result', { tool: 'dump' }, byModel('p'))
  expect(refused).toMatchObject({ ok: false, error: { type: 'DENIED' } })
  const listed = await opened(() => long, { limits, metaTools: [] })
  expect(await read(listed, 'dump', {}, 'c')).toContain('The rest was not kept.')
})

test.each(['sqlite', 'memory'])(
  'after a restart the same call has the same bytes, and the model reads on: %s',
  async (kind) => {
    const folder = await mkdtemp(join(tmpdir(), 'long-results-'))
    const text = `secret sk-${'a'.repeat(40)} ${'a row of the table\n'.repeat(126_000)}`
    const memory = createMemoryLog()
    const log = () =>
      kind === 'memory' ? memory : kind === 'sqlite' ? openSqliteLog(join(folder, 'l.db')) : memory
    const open = async () =>
      opened(() => text, {
        log: await log(),
        session: 's',
        redact: {},
        limits: { resultTokens: 100 },
      })
    const first = await open()
    await first.beginStep()
    const before = await read(first, 'dump', {}, 'c')
    await first.close()
    const again = await open()
    expect(again.getAvailableTools().map(({ name }) => name)).toContain('read_result')
    expect(before).toContain('secret [redacted] a row')
    expect(await read(again, 'dump', {}, 'c')).toBe(before)
    const [call, from] = handleIn(before)
    const page = await read(again, 'read_result', { call, from: Number(from) }, 'p')
    expect(page).toContain(`Characters ${from} to`)
    expect(page).toContain('a row of the table')
    expect(page.length).toBeLessThan(2_000)
    const stored = await read(again, 'read_result', { call, from: 0, to: 60 }, 'q')
    expect(stored).not.toContain('sk-aaaa')
    await again.close()
    if (kind === 'sqlite') {
      expect((await stat(join(folder, 'l.db'))).size).toBeLessThan(text.length * 1.3)
    }
  },
  60_000,
)

test('parts with data stay, and texts of parts are cut together', async () => {
  const image = { type: 'image' as const, mediaType: 'image/png', data: Buffer.alloc(9) }
  const long = { type: 'text' as const, text: 'row '.repeat(9_000) }
  const workspace = await opened(() => succeed({ n: 1 }, { content: [long, image, long] }), {
    limits: { resultTokens: 100 },
  })
  const response = await workspace.callTool('dump', {}, byModel('c'))
  const { content = [] } = response.ok ? response : {}
  expect(content.map(({ type }) => type)).toEqual(['text', 'image', 'text'])
  const [call] = handleIn(JSON.stringify(content).replaceAll('\\"', '"'))
  expect(await read(workspace, 'read_result', { call, from: 35_990 }, 'p')).toContain('row \n\nrow')
})

test('an import and a fork of the log have what was cut', async () => {
  const text = 'a row of the table\n'.repeat(126_000)
  const log = createMemoryLog()
  const limits = { resultTokens: 200 }
  const first = await opened(() => text, { log, session: 's', limits })
  const [call] = handleIn(await read(first, 'dump', {}, 'c'))
  await first.sessions.fork(undefined, 'fork')
  const fork = await opened(() => text, { log, session: 'fork', limits })
  const end = { call, from: text.length - 19 }
  expect(await read(fork, 'read_result', end, 'p')).toContain('\n\na row of the table\n')
  const other = createMemoryLog()
  await importSession(other, await exportLog(log, 's'))
  const imported = await opened(() => text, { log: other, session: 's', limits })
  expect(await read(imported, 'read_result', end, 'p')).toContain('\n\na row of the table\n')
})

test('without results in the log, the store of blobs keeps the rest; without both, nothing does', async () => {
  const text = 'a row of the table\n'.repeat(2_000)
  const kept = new Map<string, Uint8Array>()
  const blobs = {
    put: ({ digest, bytes }: { digest: string; bytes: Uint8Array }) => void kept.set(digest, bytes),
    get: (digest: string) => kept.get(digest) ?? null,
  }
  const options = { limits: { resultTokens: 200 }, keepResults: false }
  const stores = await opened(() => text, { ...options, log: createMemoryLog(), blobs })
  const [call] = handleIn(await read(stores, 'dump', {}, 'c'))
  expect(await read(stores, 'read_result', { call, from: 0, to: 18 }, 'p')).toContain(
    '\n\na row of',
  )
  const forgets = await opened(() => text, { ...options, log: createMemoryLog() })
  expect(await read(forgets, 'dump', {}, 'c')).toContain('The rest was not kept.')
  expect(forgets.getAvailableTools().map(({ name }) => name)).toEqual(['dump'])
})

test('calls by the host, by handlers and in the background are not cut for a model', async () => {
  const text = 'a row of the table\n'.repeat(2_000)
  const outer = defineTool({
    name: 'outer',
    description: 'Calls dump.',
    execute: async (_, { callTool }) => {
      const inner = await callTool('dump', {})
      return inner.ok ? String(inner.data).length : 0
    },
  })
  const workspace = await opened(() => text, { tools: [outer], limits: { resultTokens: 200 } })
  expect(await workspace.callTool('outer', {}, byModel('o'))).toMatchObject({ data: text.length })
})
