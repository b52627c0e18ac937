import { expect, test } from 'vitest'
import { join } from 'node:path'
import { createCatalog, defineSkill } from '../../../../src/entries/index.ts'
import type { McpPrompt, McpResource } from '../../../../src/entries/mcp.ts'
import { openProject } from '../../../../src/workbench/project/folders/open-project.ts'
import { connected, endpointFor, type Revision, shopCatalog } from './served.ts'

const BOTH: readonly Revision[] = ['2025-11-25', '2026-07-28']

const prompts: readonly McpPrompt[] = [
  {
    name: 'letter',
    description: 'Write a letter.',
    arguments: [{ name: 'tone', required: true, complete: (value) => [`${value}ly`] }],
    get: ({ tone }) => `Write a ${tone} letter.`,
  },
]

test.each(BOTH)('%s: prompts of the host and of skills, with completion', async (revision) => {
  const endpoint = await endpointFor({ workspace: { catalog: await shopCatalog() }, prompts })
  const client = await connected(endpoint, revision)
  expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual([
    'letter',
    'refunds',
  ])
  const letter = await client.getPrompt({ name: 'letter', arguments: { tone: 'kind' } })
  expect(letter.messages[0]?.content).toEqual({ type: 'text', text: 'Write a kind letter.' })
  const refunds = await client.getPrompt({ name: 'refunds', arguments: { arguments: 'order 7' } })
  expect(refunds.messages[0]?.content).toMatchObject({
    text: 'Look the order up first. The customer says: order 7',
  })
  const { completion } = await client.complete({
    ref: { type: 'ref/prompt', name: 'letter' },
    argument: { name: 'tone', value: 'kind' },
  })
  expect(completion.values).toEqual(['kindly'])
  await expect(client.getPrompt({ name: 'nothing' })).rejects.toMatchObject({ code: -32602 })
})

test.each(BOTH)('%s: resources and templates of the host', async (revision) => {
  const resources: readonly McpResource[] = [
    { uri: 'shop://terms', name: 'terms', mediaType: 'text/plain', read: () => 'No refunds.' },
    {
      uri: 'shop://orders/{id}',
      name: 'order',
      read: ({ id = '' }) => new TextEncoder().encode(id),
      complete: { id: (value) => [`${value}7`] },
    },
  ]
  const endpoint = await endpointFor({ workspace: { catalog: await shopCatalog() }, resources })
  const client = await connected(endpoint, revision)
  const listed = (await client.listResources()).resources.map(({ uri }) => uri)
  expect(listed).toEqual(['shop://terms', 'skill://refunds/SKILL.md'])
  expect((await client.readResource({ uri: 'shop://terms' })).contents).toMatchObject([
    { uri: 'shop://terms', mimeType: 'text/plain', text: 'No refunds.' },
  ])
  expect((await client.readResource({ uri: 'shop://orders/12' })).contents).toMatchObject([
    { blob: Buffer.from('12').toString('base64') },
  ])
  const { completion } = await client.complete({
    ref: { type: 'ref/resource', uri: 'shop://orders/{id}' },
    argument: { name: 'id', value: '1' },
  })
  expect(completion.values).toEqual(['17'])
})

test('a client that subscribed to a resource is notified of its change', async () => {
  let change: ((uri: string) => void) | undefined
  const terms: McpResource = {
    uri: 'shop://terms',
    name: 'terms',
    read: () => 'No refunds.',
    watch(changed) {
      change = changed
      return () => undefined
    },
  }
  const endpoint = await endpointFor({
    workspace: { catalog: await shopCatalog() },
    resources: [terms],
  })
  const client = await connected(endpoint, '2025-11-25')
  const updated = Promise.withResolvers<string>()
  client.setNotificationHandler('notifications/resources/updated', ({ params }) =>
    updated.resolve(params.uri),
  )
  await client.subscribeResource({ uri: 'shop://terms' })
  change?.('shop://terms')
  expect(await updated.promise).toBe('shop://terms')
})

test('files of a skill are served with the bytes of their digest, and no other', async () => {
  const folder = join(import.meta.dirname, '../../../../examples/workbench/public-skills')
  const { catalog } = await openProject([folder])
  const skill = catalog.skills.values().find(({ files }) => files.length > 0)
  if (skill === undefined) throw new Error('No skill has files.')
  const endpoint = await endpointFor({ workspace: { catalog } })
  const client = await connected(endpoint, '2025-11-25')
  const own = async () => {
    const { resources } = await client.listResources()
    return resources.filter(({ uri }) => uri.startsWith(`skill://${skill.name}/`))
  }
  expect(await own()).toHaveLength(1)
  await client.callTool({ name: 'loadSkill', arguments: { skillName: skill.name } })
  expect(await own()).toHaveLength(skill.files.length + 1)
  const read = (path: string) => client.readResource({ uri: `skill://${skill.name}/${path}` })
  const [file] = skill.files
  expect((await read(file?.path ?? '')).contents).toHaveLength(1)
  for (const path of ['../../../package.json', 'nothing.md', '%2e%2e/%2e%2e/package.json']) {
    await expect(read(path)).rejects.toMatchObject({ code: expect.any(Number) })
  }
})

test.each(BOTH)(
  'a skill that rules deny to models is not served as a resource: %s',
  async (revision) => {
    const skills = ['news', 'notes'].map((name) => defineSkill({ name, description: name }))
    const deny = [{ tool: 'loadSkill', where: { skillName: 'news' } }]
    const catalog = await createCatalog({ skills })
    const endpoint = await endpointFor({
      workspace: { catalog, policy: { permissions: { deny } } },
    })
    const client = await connected(endpoint, revision)
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toEqual(['skill://notes/SKILL.md'])
    const read = (name: string) => client.readResource({ uri: `skill://${name}/SKILL.md` })
    expect((await read('notes')).contents).toHaveLength(1)
    await expect(read('news')).rejects.toMatchObject({ code: expect.any(Number) })
  },
)
