import type { BetaMessageParam } from '@anthropic-ai/sdk/resources/beta/messages/messages'
import { createCatalog, defineTool, succeed } from 'loadout'
import { forAnthropic } from 'loadout/anthropic'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { MODEL, openModel, openStore, question, results } from './a-model.ts'

/** A picture of 5 MB: the signature of a PNG, and bytes that do not repeat. */
const PNG = Buffer.alloc(5_000_000)
PNG.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
for (let at = 8; at < PNG.length; at += 1) PNG[at] = (at * 2654435761) >>> 24

test('parts go in the form of the wire, and what has none as a sentence', async () => {
  const draw = defineTool({
    name: 'draw',
    description: 'Draw a chart.',
    inputSchema: z.object({}),
    execute: () =>
      succeed(
        { rows: 3 },
        {
          content: [
            { type: 'text', text: 'Three rows.' },
            { type: 'image', mediaType: 'image/png', data: PNG, name: 'chart.png' },
          ],
        },
      ),
  })
  const report = defineTool({
    name: 'report',
    description: 'Write a report.',
    inputSchema: z.object({}),
    execute: () =>
      succeed(null, {
        content: [
          {
            type: 'file',
            mediaType: 'application/pdf',
            data: Buffer.from('%PDF-1'),
            name: 'a.pdf',
          },
          { type: 'audio', mediaType: 'audio/mpeg', data: Buffer.from('ID3') },
          { type: 'image', mediaType: 'image/tiff', data: Buffer.from('II*') },
          { type: 'resource', uri: 'note:1', text: 'Paid.' },
          { type: 'resource', uri: 'chart:1', mediaType: 'image/gif', data: Buffer.from('GIF89a') },
          { type: 'resource-link', uri: 'https://example.com/a', name: 'a' },
          { type: 'text', text: '' },
        ],
      }),
  })
  const catalog = await createCatalog({ tools: [draw, report] })
  const workspace = await openStore([], { catalog, agent: undefined as never })
  const { client, server } = await openModel([[{ name: 'draw' }, { name: 'report' }], 'Done.'])
  const messages: BetaMessageParam[] = [question('Draw.')]
  await forAnthropic(workspace).run(client, { ...MODEL, messages })
  expect(server.violations).toEqual([])
  const [drawn, reported] = results(server.requests[1]?.body['messages'])
  const source = { type: 'base64', media_type: 'image/png', data: PNG.toString('base64') }
  expect(drawn).toEqual([
    { type: 'text', text: 'Three rows.' },
    { type: 'image', source },
  ])
  expect(reported).toMatchInlineSnapshot(`
    [
      {
        "source": {
          "data": "JVBERi0x",
          "media_type": "application/pdf",
          "type": "base64",
        },
        "title": "a.pdf",
        "type": "document",
      },
      {
        "text": "An audio file was returned: audio/mpeg, 3 bytes.",
        "type": "text",
      },
      {
        "text": "An image was returned: image/tiff, 3 bytes.",
        "type": "text",
      },
      {
        "text": "A resource was returned: note:1, 5 bytes.

    Paid.",
        "type": "text",
      },
      {
        "source": {
          "data": "R0lGODlh",
          "media_type": "image/gif",
          "type": "base64",
        },
        "type": "image",
      },
      {
        "text": "A link to a resource was returned: a, https://example.com/a.",
        "type": "text",
      },
    ]
  `)
  const entries = await workspace.entries()
  const ofDraw = entries.filter(({ event }) => 'tool' in event && event.tool === 'draw')
  expect(ofDraw.length).toBeGreaterThan(1)
  expect(JSON.stringify(ofDraw).length).toBeLessThan(1000)
})
