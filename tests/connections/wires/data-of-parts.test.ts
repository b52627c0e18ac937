import { jsonSchema, tool, type ToolResultPart } from 'ai'
import {
  type Catalog,
  createCatalog,
  defineTool,
  succeed,
  toolsFromAiSdk,
  VirtualWorkspace,
} from 'loadout'
import type { ReturnedPart } from '../../../src/tools/response/content-part.ts'
import { expect, test } from 'vitest'
import { WIRE_CLIENTS, type WireClient } from '../../../scripts/wires/wire-clients.ts'
import { openWireServer } from '../../wires/server/open-wire-server.ts'

/** Returns the body of the request after a tool returned data, which every rule of the wires accepts. */
function bodyAfter(client: WireClient, mediaType: string, data: Buffer): Promise<string> {
  const type = mediaType.startsWith('image/') ? 'image' : 'file'
  return bodyAfterPart(client, { type, mediaType, data, name: 'a.bin' })
}

async function bodyAfterPart(client: WireClient, part: ReturnedPart): Promise<string> {
  const read = defineTool({
    name: 'read',
    description: 'Reads a file.',
    category: 'retrieval',
    execute: () => succeed('Read.', { content: [part] }),
  })
  return bodyAfterRead(client, await createCatalog({ tools: [read] }))
}

/** Lets the model call `read`. */
async function bodyAfterRead({ provider, run }: WireClient, catalog: Catalog): Promise<string> {
  const workspace = await VirtualWorkspace.open({ catalog, provider })
  const server = await openWireServer({ answers: [[{ name: 'read' }], 'Done.'] })
  await run(server.url, workspace)
  await workspace.close()
  await server.close()
  expect(server.violations).toEqual([])
  expect(server.requests).toHaveLength(2)
  return JSON.stringify(server.requests[1]?.body)
}

const JPEG = Buffer.concat([Buffer.from('ffd8ffe000104a464946', 'hex'), Buffer.alloc(90)])

test.each(WIRE_CLIENTS)('$name: an image is sent by the type that its data has', async (client) => {
  const body = await bodyAfter(client, 'image/png', JPEG)
  const isDescribed = client.name === 'AI SDK, compatible'
  expect(body.includes('image/jpeg')).toBe(!isDescribed)
  expect(body.includes(JPEG.toString('base64'))).toBe(!isDescribed)
})

test.each(
  WIRE_CLIENTS.flatMap((client) => [
    { ...client, what: 'a text', mediaType: 'image/png', data: Buffer.from('Not found: a.png') },
    { ...client, what: 'nothing', mediaType: 'image/png', data: Buffer.alloc(0) },
    { ...client, what: 'a page', mediaType: 'application/pdf', data: Buffer.from('<html>') },
    { ...client, what: 'a JPEG', mediaType: 'application/pdf', data: JPEG },
  ]),
)('$name: $what that is said to be $mediaType is described', async (client) => {
  const body = await bodyAfter(client, client.mediaType, client.data)
  const what = client.mediaType === 'image/png' ? 'An image' : 'A file'
  expect(body).toContain(`${what} was returned: a.bin, ${client.mediaType}, `)
  expect(body).not.toContain('base64')
})

test('an image that is too large for Anthropic is described to it, and sent to others', async () => {
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(8_000_000)])
  for (const client of WIRE_CLIENTS.filter(({ wire }) => wire !== 'openai-chat')) {
    const body = await bodyAfter(client, 'image/png', png)
    const isAnthropic = client.wire === 'anthropic-beta'
    expect([client.name, body.includes('a.bin, image/png, 8.0 MB.')]).toEqual([
      client.name,
      // The text of a result describes all of its files there.
      isAnthropic || client.wire === 'gemini',
    ])
    expect(body.length > 10_000_000).toBe(!isAnthropic)
  }
})

const DATA_URL = `data:image/jpeg;base64,${JPEG.toString('base64')}`

test.each(
  WIRE_CLIENTS.flatMap((client) => [
    { ...client, part: { type: 'resource-link', uri: DATA_URL } as const },
    { ...client, part: { type: 'resource', uri: DATA_URL, text: 'A tree.' } as const },
  ]),
)('$name: the address of a $part.type that holds data is written without them', async (client) => {
  const body = await bodyAfterPart(client, client.part)
  expect(body).toContain('data:image/jpeg;base64,…')
  expect(body).not.toContain(JPEG.toString('base64'))
})

type SdkPart = Extract<ToolResultPart['output'], { type: 'content' }>['value'][number]

const base64 = JPEG.toString('base64')

test.each(
  WIRE_CLIENTS.filter(({ name }) => name.startsWith('AI SDK')).flatMap((client) => [
    { ...client, form: { type: 'image-url', url: DATA_URL } as const },
    { ...client, form: { type: 'file-url', url: DATA_URL } as const },
    { ...client, form: { type: 'image-data', data: base64, mediaType: 'image/*' } as const },
    { ...client, form: { type: 'media', data: base64, mediaType: 'image/jpeg' } as never },
    {
      ...client,
      form: {
        type: 'file',
        mediaType: 'image/jpeg',
        data: { type: 'url', url: new URL(DATA_URL) },
      } as const,
    },
  ]),
)('$name: an image that a tool of the SDK returns as $form.type is never text', async (client) => {
  const read = tool({
    description: 'Reads a file.',
    inputSchema: jsonSchema({ type: 'object' }),
    execute: () => 'Read.',
    toModelOutput: () => ({ type: 'content', value: [client.form as SdkPart] }),
  })
  const catalog = await createCatalog({ tools: toolsFromAiSdk({ read }) })
  const body = await bodyAfterRead(client, catalog)
  const isDescribed = client.name === 'AI SDK, compatible'
  expect(body.includes(base64)).toBe(!isDescribed)
  expect(body.includes('An image was returned: image/jpeg, 100 bytes.')).toBe(
    client.wire === 'openai-chat',
  )
})

test.each(WIRE_CLIENTS.filter(({ name }) => name.startsWith('AI SDK')))(
  '$name: a file of text that a tool of the SDK returns is text, and a server without links gets none to fetch',
  async (client) => {
    const read = tool({
      description: 'Reads a file.',
      inputSchema: jsonSchema({ type: 'object' }),
      execute: () => 'Read.',
      toModelOutput: () => ({
        type: 'content',
        value: [
          { type: 'file', mediaType: 'text/plain', data: { type: 'text', text: 'A tree.' } },
          { type: 'image-url', url: 'https://loopback.invalid/tree.png' },
        ],
      }),
    })
    const catalog = await createCatalog({ tools: toolsFromAiSdk({ read }) })
    const body = await bodyAfterRead(client, catalog)
    expect(body).toContain('A tree.')
    expect(body.includes('A link to a resource was returned')).toBe(client.wire === 'openai-chat')
  },
)
