import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { createCatalog, defineSkill } from 'loadout'
import { mcpServer, type McpServerOptions, readServerSkills } from 'loadout/mcp'
import { textHash } from '../../../../src/kernel/content-hash.ts'
import { aWorkspace } from '../../../workspace/a-workspace.ts'
import { endpointFor, type Revision } from '../server/served.ts'

interface Message {
  readonly id?: number
  readonly method: string
  readonly params?: { readonly uri?: string; readonly cursor?: string }
}

type Fetch = NonNullable<McpServerOptions['fetch']>

async function listed(fetch: Fetch, more: Partial<McpServerOptions> = {}) {
  const url = 'http://localhost/mcp'
  const server = mcpServer({ name: 'remote', url, fetch, revision: '2025-11-25', ...more })
  const skills = await readServerSkills(server)
  onTestFinished(() => skills.close())
  return skills
}

const MAIN = '---\nname: triage\ndescription: Sort the tickets.\n---\n\nOldest first.\n'

const file = (path: string, text: string) => ({
  uri: `skill://triage/${path}`,
  digest: textHash(text),
  size: Buffer.byteLength(text),
})

const ENTRY = {
  uri: 'skill://triage/SKILL.md',
  frontmatter: { name: 'triage', description: 'Sort the tickets.' },
  resources: [file('SKILL.md', MAIN), file('a.md', 'A'), file('b.md', 'B')],
}

/** A server of the skill above, in plain JSON. `answer` may answer a request itself. */
function aServer(answer: (message: Message, init: RequestInit) => unknown = () => undefined) {
  const asked: string[] = []
  const fetch: Fetch = async (_, init = {}) => {
    if (init.method !== 'POST') return new Response(null, { status: 405 })
    const message = JSON.parse(init.body as string) as Message
    const { id, method, params } = message
    asked.push(params?.uri === undefined ? method : `${method} ${params.uri}`)
    const own = await answer(message, init)
    if (own instanceof Response) return own
    if (id === undefined) return new Response(null, { status: 202 })
    const texts: Readonly<Record<string, string>> = { 'SKILL.md': MAIN, 'a.md': 'A', 'b.md': 'B' }
    const { uri = '' } = params ?? {}
    const results: Readonly<Record<string, unknown>> = {
      initialize: {
        protocolVersion: '2025-11-25',
        serverInfo: { name: 'remote', version: '1' },
        capabilities: { resources: {}, extensions: { 'io.modelcontextprotocol/skills': {} } },
      },
      'skills/list': { skills: [ENTRY] },
      'resources/read': { contents: [{ uri, text: texts[uri.slice('skill://triage/'.length)] }] },
    }
    return Response.json({ jsonrpc: '2.0', id, result: own ?? results[method] ?? {} })
  }
  return { fetch, asked, reads: () => asked.filter((one) => one.startsWith('resources/read')) }
}

test.each<Revision>(['2025-11-25', '2026-07-28'])(
  '%s: a file of a skill of a server is read when the model asks for it',
  async (revision) => {
    const triage = defineSkill({
      name: 'triage',
      description: 'Sort the tickets.',
      instructions: 'Oldest first.',
      files: [{ path: 'references/Q&A.md', text: 'Ask twice.' }],
    })
    const endpoint = await endpointFor({
      workspace: { catalog: await createCatalog({ skills: [triage] }) },
    })
    const asked: string[] = []
    const { skills } = await listed(
      async (url, init) => {
        const { method } = JSON.parse((init?.body ?? '{}') as string) as Partial<Message>
        asked.push(method ?? '')
        const headers = new Headers(init?.headers)
        headers.set('host', 'localhost')
        return endpoint.fetch(new Request(url, { ...init, headers }))
      },
      { revision },
    )
    const workspace = await aWorkspace({ skills }, { metaTools: ['loadSkill', 'loadSkillFile'] })
    const skillName = 'remote_triage'
    const load = (path: string) => workspace.callTool('loadSkillFile', { skillName, path })

    expect(await workspace.callTool('loadSkill', { skillName })).toMatchObject({
      ok: true,
      data: {
        instructions:
          'The text of this skill is on the server "remote". Read its file SKILL.md with loadSkillFile first.',
        files: [{ path: 'SKILL.md' }, { path: 'references/Q&A.md' }],
      },
    })
    expect(asked).not.toContain('resources/read')
    expect(await load('SKILL.md')).toMatchObject({
      ok: true,
      data: { text: expect.stringContaining('Oldest first.') as string },
    })
    expect(await load('references/Q&A.md')).toMatchObject({ data: { text: 'Ask twice.' } })
    expect(asked.filter((one) => one === 'resources/read')).toHaveLength(2)
    await workspace.close()
  },
)

test('a server without the extension has no skills', async () => {
  const capabilities = { resources: {} }
  const { fetch } = aServer(({ method }) =>
    method === 'initialize'
      ? { protocolVersion: '2025-11-25', serverInfo: { name: 'x', version: '1' }, capabilities }
      : undefined,
  )
  expect(await listed(fetch)).toMatchObject({ skills: [], leftOut: [] })
})

const own = ENTRY.resources[0]

test.each<{ what: string; entry: object; reason: string }>([
  {
    what: 'whose files are not listed',
    entry: { resources: 'dynamic' },
    reason: '"resources" of its entry is not valid: must be a list of files, which can be checked.',
  },
  {
    what: 'with a file of another skill',
    entry: { resources: [own, { ...own, uri: 'skill://secrets/SKILL.md' }] },
    reason: 'The file "skill://secrets/SKILL.md" is not in its folder.',
  },
  {
    what: 'with a file outside of its folder',
    entry: {
      uri: 'skill://acme/triage/SKILL.md',
      resources: [{ ...own, uri: 'skill://acme/triage/%2e%2e/other/SKILL.md' }],
    },
    reason: 'The file "skill://acme/triage/%2e%2e/other/SKILL.md" is not in its folder.',
  },
  {
    what: 'with a path that hides dots',
    entry: { resources: [own, { ...own, uri: 'skill://triage/..%2F..%2Fetc%2Fpasswd' }] },
    reason:
      'The skill "remote_triage" cannot be defined: its "files: ../../etc/passwd" must be a path inside the skill, such as "references/guide.md".',
  },
  {
    what: 'without its main file',
    entry: { resources: [file('a.md', 'A')] },
    reason: 'It lists no SKILL.md.',
  },
  {
    what: 'with too many bytes',
    entry: { resources: [{ ...own, size: 16_777_217 }] },
    reason: 'Its files have over 16777216 bytes.',
  },
  {
    what: 'with the name of another folder',
    entry: { frontmatter: { name: 'sort', description: 'Sort.' } },
    reason: 'Its folder is named "triage", not "sort".',
  },
  {
    what: 'with a description that is too long',
    entry: { frontmatter: { name: 'triage', description: 'a'.repeat(1025) } },
    reason:
      '"frontmatter.description" of its entry is not valid: Too big: expected string to have <=1024 characters.',
  },
  {
    what: 'with a name that no skill can have',
    entry: { frontmatter: { name: 'a b\u001b[2J', description: 'Bad.' } },
    reason: 'A skill cannot be named "remote_a b<U+001B>[2J".',
  },
])('a skill $what is left out, and the others stay', async ({ entry, reason }) => {
  const bad = { ...ENTRY, ...entry }
  const uri = 'skill://good/SKILL.md'
  const frontmatter = { name: 'good', description: 'Good.' }
  const good = { uri, frontmatter, resources: [{ ...own, uri }] }
  const { fetch } = aServer(({ method }) =>
    method === 'skills/list' ? { skills: [bad, good] } : undefined,
  )
  const { skills, leftOut } = await listed(fetch)
  expect(skills.map(({ name }) => name)).toEqual(['remote_good'])
  expect(leftOut).toEqual([{ skill: bad.uri, reason }])
})

test.each([
  { pages: 'the same skill', skills: [ENTRY] },
  { pages: 'no skill', skills: [] },
])('pages in a circle with $pages are an error, and not a short list', async ({ skills }) => {
  const { fetch } = aServer(({ method }) =>
    method === 'skills/list' ? { skills, nextCursor: 'again' } : undefined,
  )
  await expect(listed(fetch)).rejects.toMatchObject({ code: 'SKILLS_INVALID' })
})

test('pages without an end are an error', async () => {
  let page = 0
  const { fetch } = aServer(({ method }) =>
    method === 'skills/list' ? { skills: [], nextCursor: String((page += 1)) } : undefined,
  )
  await expect(listed(fetch)).rejects.toMatchObject({ code: 'SKILLS_INVALID' })
  expect(page).toBe(64)
})

test('a list with over 10,000 entries is an error', async () => {
  const { fetch } = aServer(({ method }) =>
    method === 'skills/list' ? { skills: Array.from({ length: 300_000 }, () => 0) } : undefined,
  )
  await expect(listed(fetch)).rejects.toMatchObject({ code: 'SKILLS_INVALID' })
})

test.each(['initialize', 'skills/list'])(
  'a listing that waits for %s can be aborted',
  async (stage) => {
    const controller = new AbortController()
    const { fetch } = aServer(async ({ method }, { signal }) => {
      if (method !== stage) return
      controller.abort(new Error('No longer needed.'))
      await once(signal as AbortSignal, 'abort')
    })
    const server = mcpServer({ name: 'remote', url: 'http://localhost/mcp', fetch })
    const reading = readServerSkills(server, { signal: controller.signal })
    await expect(reading).rejects.toThrow('No longer needed.')
  },
)

test('a file that waits for its server can be aborted, and the connection ends with it', async () => {
  const controller = new AbortController()
  let connects = 0
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  const { fetch } = aServer(async ({ method }, { signal }) => {
    if (method !== 'initialize' || (connects += 1) === 1) return
    controller.abort(new Error('No longer needed.'))
    await once(signal as AbortSignal, 'abort')
    resolve()
  })
  const { skills, close } = await listed(fetch)
  await close()
  const reading = skills[0]?.readFile?.('SKILL.md', controller.signal)
  await expect(reading).rejects.toThrow('No longer needed.')
  await ended
})

test('no file is given while SKILL.md is not the one of the list', async () => {
  const { fetch, reads } = aServer(({ method, params }) =>
    method === 'resources/read'
      ? { contents: [{ uri: params?.uri, text: MAIN.replace('Oldest', 'Newest') }] }
      : undefined,
  )
  const { skills } = await listed(fetch)
  const error = { code: 'FILE_UNVERIFIED' }
  await expect(skills[0]?.readFile?.('a.md')).rejects.toMatchObject(error)
  await expect(skills[0]?.readFile?.('SKILL.md')).rejects.toMatchObject(error)
  expect(reads()).toEqual(Array.from({ length: 2 }, () => 'resources/read skill://triage/SKILL.md'))
})

test('a read that fails is not repeated, and leaves other reads alone', async () => {
  const failed = Promise.withResolvers<void>()
  const { fetch, asked, reads } = aServer(async ({ params }) => {
    if (params?.uri === 'skill://triage/a.md') return new Response('?', { status: 404 })
    if (params?.uri === 'skill://triage/b.md') await failed.promise
    return undefined
  })
  const { skills } = await listed(fetch)
  const [skill] = skills
  await skill?.readFile?.('SKILL.md')
  const other = skill?.readFile?.('b.md')
  await expect(skill?.readFile?.('a.md')).rejects.toMatchObject({ type: 'TRANSIENT' })
  failed.resolve()
  expect(await other).toBe('B')
  expect(reads()).toHaveLength(3)
  expect(asked.filter((one) => one === 'initialize')).toHaveLength(1)
  // A server that does not know the session is connected again by the next read.
  expect(await skill?.readFile?.('b.md')).toBe('B')
  expect(asked.filter((one) => one === 'initialize')).toHaveLength(2)
})

test('the connection ends after its grace time, and a later read connects again', async () => {
  let connection: AbortSignal | undefined
  const { fetch, asked } = aServer(({ method }, { signal }) => {
    if (method === 'initialize') connection ??= signal as AbortSignal
  })
  const { skills } = await listed(fetch, { graceMs: 1 })
  if (connection?.aborted === false) await once(connection, 'abort')
  expect(await skills[0]?.readFile?.('SKILL.md')).toBe(MAIN)
  expect(asked.filter((one) => one === 'initialize')).toHaveLength(2)
})
