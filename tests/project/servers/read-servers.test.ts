import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
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
])('%j cannot be used, and the reason is listed', async (server, reason) => {
  const file = fileOf({ mcpServers: { bad: server, good: { command: 'x', args: ['${NONE:-y}'] } } })
  const read = await readServers(file, { environment: ['TOKEN'], env })
  expect(read.servers.map((one) => one.server.name)).toEqual(['good'])
  expect(read.problems).toEqual([{ server: 'bad', reason: expect.stringMatching(reason) }])
})

test.each(['{', '[]', '{"other": {}}', '{"mcpServers": []}'])(
  'a file with %s is refused',
  async (content) => {
    const refused = readServers(fileOf(content))
    await expect(refused).rejects.toMatchObject({ code: 'SERVERS_INVALID' })
  },
)
