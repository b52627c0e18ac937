import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { defineTool } from 'loadout'
import { readServers } from 'loadout/node'

function fileOf(content: unknown): string {
  const file = join(mkdtempSync(join(tmpdir(), 'loadout-servers-')), '.mcp.json')
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

const env = { TOKEN: 'secret', OTHER: 'other' }

test.each(['mcpServers', 'servers'])(
  'the servers below "%s" are read, and none is started',
  async (key) => {
    const file = fileOf({
      inputs: [],
      [key]: {
        local: {
          type: 'stdio',
          command: 'no-such-program',
          args: ['--root', '${workspaceFolder}'],
        },
        remote: {
          type: 'http',
          url: 'https://example.org/mcp',
          headers: { a: 'Bearer ${env:TOKEN}' },
        },
      },
    })
    const { servers, problems } = await readServers(file, { environment: ['TOKEN'], env })
    expect(problems).toEqual([])
    expect(servers.map(({ server, runs }) => [server.name, runs])).toEqual([
      ['local', 'no-such-program --root ${workspaceFolder}'],
      ['remote', 'https://example.org/mcp'],
    ])
  },
)

test.each<[object, RegExp]>([
  [
    { command: 'x', args: ['${OTHER}'] },
    /uses the environment variable OTHER, which is not allowed/u,
  ],
  [{ command: 'x', env: { A: '${TOKEN}', B: '${MISSING}' } }, /MISSING, which is not allowed/u],
  [{ command: 'x', args: ['${input:key}'] }, /asks for the input "key"/u],
  [{ url: 'https://example.org/sse', type: 'sse' }, /transport \(sse\) is not supported/u],
  [{ url: 'file:///etc/passwd' }, /http: or https:/u],
  [{ command: 'x', disabled: true }, /disabled/u],
  [{ command: 'x', args: 'y' }, /"args" must be a list/u],
  [{}, /neither "command" nor "url"/u],
  [{ command: 'x', loadout: 'fast' }, /"loadout" must be an object/u],
  [{ command: 'x', loadout: { trusted: true } }, /loadout\.trusted/u],
  [{ url: 'https://example.org/', loadout: { read: 'html' } }, /loadout\.read/u],
  [{ command: 'x', loadout: { terms: { a: { timeout: 3 } } } }, /timeout/u],
  [{ command: 'x', loadout: { timeoutMs: 0 } }, /timeoutMs/u],
  [
    { command: 'x', envFile: 'missing.env' },
    /file of variables \(envFile\) cannot be read: ENOENT/u,
  ],
])('%j cannot be used, and the reason is listed', async (server, reason) => {
  const file = fileOf({ mcpServers: { bad: server, good: { command: 'x', args: ['${NONE:-y}'] } } })
  const read = await readServers(file, { environment: ['TOKEN'], env })
  expect(read.servers.map((one) => one.server.name)).toEqual(['good'])
  expect(read.problems).toEqual([{ server: 'bad', reason: expect.stringMatching(reason) }])
})

/** A program that tells as its instructions where it runs, and with which variables. */
const PROGRAM = `
  const answer = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line)
    const { A, B } = process.env
    const instructions = JSON.stringify({ folder: process.cwd(), A, B })
    const serverInfo = { name: 's', version: '1' }
    if (method === 'initialize') {
      answer(id, { protocolVersion: '2025-11-25', serverInfo, instructions, capabilities: {} })
    } else if (id !== undefined) answer(id, {})
  })
`

async function toldBy(file: string): Promise<unknown> {
  const { servers, problems } = await readServers(file)
  expect(problems).toEqual([])
  const [{ server } = expect.fail()] = servers
  const { signal } = new AbortController()
  const host = { signal, onListing: () => undefined, onLost: () => undefined }
  const connection = await server.connect(host)
  await connection.close()
  return JSON.parse(connection.listing.instructions ?? '')
}

const program = { command: process.execPath, args: ['-e', PROGRAM] }

test('a server gets the variables of its envFile, and those of its entry instead of them', async () => {
  const entry = { ...program, envFile: '${workspaceFolder}/own.env', env: { B: 'entry' } }
  const file = fileOf({ servers: { s: entry } })
  writeFileSync(join(dirname(file), 'own.env'), '# Ours\nA="from a file"\nB=file\n')
  expect(await toldBy(file)).toMatchObject({ A: 'from a file', B: 'entry' })
})

test('the servers of the current folder are read from the projects of Claude Code, and run there', async () => {
  const projects = {
    [process.cwd()]: { mcpServers: { here: program } },
    '/elsewhere': { mcpServers: { elsewhere: program } },
  }
  const file = fileOf({ projects })
  expect(await toldBy(file)).toMatchObject({ folder: process.cwd() })
  const shared = { here: { command: 'shared' }, other: { command: 'other' } }
  const { servers } = await readServers(fileOf({ mcpServers: shared, projects }))
  expect(servers.map(({ server, runs }) => [server.name, runs.split(' ')[0]])).toEqual([
    ['here', process.execPath],
    ['other', 'other'],
  ])
})

test.each(['{', '[]', '{"other": {}}', '{"mcpServers": []}'])(
  'a file with %s is refused',
  async (content) => {
    const refused = readServers(fileOf(content))
    await expect(refused).rejects.toMatchObject({ code: 'SERVERS_INVALID' })
  },
)

test('the terms of a server stand in the file under "loadout", for all of its tools and for some', async () => {
  const loadout = { timeoutMs: 5000, resultTokens: 900, terms: { 'crawl_*': { maxQuestions: 2 } } }
  const file = fileOf({ mcpServers: { shop: { command: 'x', loadout } } })
  const { servers } = await readServers(file)
  const tool = (name: string) =>
    defineTool({ name, description: 'Reads.', inputSchema: {}, execute: () => null })
  const terms = servers[0]?.server.terms
  expect(terms?.(tool('shop_list'))).toEqual({ timeoutMs: 5000, resultTokens: 900 })
  expect(terms?.(tool('shop_crawl_all'))).toMatchObject({ timeoutMs: 5000, maxQuestions: 2 })
})
