import { createCatalog, defineTool, succeed, VirtualWorkspace } from 'loadout'
import { expect, test } from 'vitest'
import { WIRE_CLIENTS, type WireClient } from '../../scripts/wires/wire-clients.ts'
import { openWireServer } from '../wires/server/open-wire-server.ts'

/** Returns the body of the request after a tool returned data, which every rule of the wires accepts. */
async function bodyAfter(
  { provider, run }: WireClient,
  mediaType: string,
  data: Buffer,
): Promise<string> {
  const type = mediaType.startsWith('image/') ? 'image' : 'file'
  const read = defineTool({
    name: 'read',
    description: 'Reads a file.',
    category: 'retrieval',
    execute: () => succeed('Read.', { content: [{ type, mediaType, data, name: 'a.bin' }] }),
  })
  const catalog = await createCatalog({ tools: [read] })
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

test('an image that is too large for Anthropic is described to it, and sent to OpenAI', async () => {
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(8_000_000)])
  for (const client of WIRE_CLIENTS.filter(({ wire }) => wire !== 'openai-chat')) {
    const body = await bodyAfter(client, 'image/png', png)
    const isAnthropic = client.wire === 'anthropic-beta'
    expect([client.name, body.includes('a.bin, image/png, 8.0 MB.')]).toEqual([
      client.name,
      isAnthropic,
    ])
    expect(body.length > 10_000_000).toBe(!isAnthropic)
  }
})
