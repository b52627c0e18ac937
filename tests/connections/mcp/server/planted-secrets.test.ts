import { expect, test } from 'vitest'
import type { McpPrompt, McpResource } from '../../../../src/entries/mcp.ts'
import {
  leaks,
  plant,
  plantedCatalog,
  plantedOptions,
  received,
} from '../../../workspace/planted-secrets.ts'
import { connected, endpointFor, type Revision } from './served.ts'

const say = (place: string) => `Say ${plant(place)} now.`

const ON_REQUEST = ['text', 'question', 'error', 'completion'].map((one) => `${one} of a prompt`)
const READ = ['text', 'bytes', 'error'].map((one) => `${one} of a resource`)
for (const place of [...ON_REQUEST, ...READ]) plant(place)

const PROMPTS: readonly McpPrompt[] = [
  {
    name: 'letter',
    title: say('title of a prompt'),
    description: say('description of a prompt'),
    arguments: [
      {
        name: 'tone',
        description: say('argument of a prompt'),
        complete: () => [plant('completion of a prompt')],
      },
    ],
    get: () => say('text of a prompt'),
  },
  {
    name: 'asking',
    async get(_, { elicit }) {
      await elicit({
        message: say('question of a prompt'),
        schema: { type: 'object', properties: {} },
      })
      throw new Error(say('error of a prompt'))
    },
  },
]

const RESOURCES: readonly McpResource[] = [
  {
    uri: 'shop://terms',
    name: 'terms',
    title: say('title of a resource'),
    description: say('description of a resource'),
    read: () => say('text of a resource'),
  },
  { uri: 'shop://bytes', name: 'bytes', read: () => Buffer.from(say('bytes of a resource')) },
  {
    uri: 'shop://broken',
    name: 'broken',
    read: () => {
      throw new Error(say('error of a resource'))
    },
  },
]

const TOOLS = ['data', 'text', 'parts', 'throws', 'fails', 'long', 'elicits', 'reports'] as const

const rows = (['2025-11-25', '2026-07-28'] as const).flatMap((revision: Revision) =>
  (['fixed', 'live'] as const).map((mode) => ({ revision, mode })),
)

test.each(rows)(
  '$revision, $mode: nothing that a client gets has a planted secret',
  async ({ revision, mode }) => {
    const sent: Promise<string>[] = []
    const endpoint = await endpointFor({
      workspace: { catalog: await plantedCatalog(), ...plantedOptions() },
      mode,
      prompts: PROMPTS,
      resources: RESOURCES,
    })
    const fetch = async (request: Request) => {
      const response = await endpoint.fetch(request)
      if (response.body === null) return response
      const [own, copy] = response.body.tee()
      sent.push(new Response(copy).text().catch(() => ''))
      return new Response(own, response)
    }
    const asked: string[] = []
    const answer = (message: string) => {
      asked.push(message)
      return { action: 'accept', content: { decision: 'once' } }
    }
    const client = await connected({ fetch }, revision, { answer })
    const shown: unknown[] = [client.getInstructions()]
    const noting = async (work: Promise<unknown>) => {
      const one = await work.catch((error: unknown) => [String(error), error])
      shown.push(one)
      return one
    }
    let session: unknown
    const call = async (name: string, input: object = {}) => {
      const isDirect = mode === 'live' && revision === '2025-11-25'
      const isMeta = /^load|^list|^tool_|^read_/u.test(name)
      const made =
        isMeta || isDirect
          ? { name, arguments: input }
          : { name: 'call_tool', arguments: { name, arguments: input } }
      const named = typeof session === 'string' ? { session } : {}
      const given = { name: made.name, arguments: { ...made.arguments, ...named } }
      const result = (await noting(client.callTool(given))) as { _meta?: Record<string, unknown> }
      session = result._meta?.['loadout/session']
    }
    await call('tool_search', { query: 'garden planting data' })
    await call('loadSkill', { skillName: 'garden', arguments: 'roses' })
    await call('loadSkill', { skillName: 'broken' })
    await call('loadSkillFile', { skillName: 'garden', path: 'notes.md' })
    await call('loadSkillFile', { skillName: 'garden', path: 'long.md' })
    for (const name of TOOLS) await call(name)
    received.length = 0
    await call('echo', { text: plant('argument of a call') })
    await call('asked')
    await noting(client.listTools())
    await noting(client.listPrompts())
    await noting(client.getPrompt({ name: 'letter' }))
    await noting(client.getPrompt({ name: 'asking' }))
    await noting(client.getPrompt({ name: 'garden', arguments: { arguments: 'roses' } }))
    const ref = { type: 'ref/prompt', name: 'letter' } as const
    await noting(client.complete({ ref, argument: { name: 'tone', value: '' } }))
    const listed = (await noting(client.listResources())) as { resources: { uri: string }[] }
    const files = ['notes.md', 'long.md'].map((path) => ({ uri: `skill://garden/${path}` }))
    for (const { uri } of [...listed.resources, ...files])
      await noting(client.readResource({ uri }))
    await client.close()
    await endpoint.close()
    const wire = (await Promise.all(sent)).join('\n')
    expect({ wire: leaks(wire), client: leaks(JSON.stringify([shown, asked])) }).toEqual({
      wire: [],
      client: [],
    })
    expect(leaks(Buffer.from(blobsIn(wire), 'base64').toString())).toEqual([])
    expect(wire.split('[redacted]').length).toBeGreaterThan(80)
    expect(asked).toEqual(expect.arrayContaining([expect.stringContaining('[redacted]')]))
    expect(asked).toHaveLength(3)
    expect(JSON.stringify(received)).toContain(JSON.stringify(plant('argument of a call')))
    expect(wire).toContain('is not served: it has a secret')
  },
)

const blobsIn = (text: string) =>
  [...text.matchAll(/"blob":"([^"]+)"/gu)].map(([, blob]) => blob).join('')
