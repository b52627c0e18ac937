import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions/completions'
import type { ResponseInputItem } from 'openai/resources/responses/responses'
import { createCatalog, defineTool, succeed, type VirtualWorkspace } from 'loadout'
import { forChatCompletions, forOpenAI } from 'loadout/openai'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Answer } from '../../../wires/server/answer.ts'
import { openModel, openShop } from './a-shop.ts'

/** A picture of 5 MB: the signature of a PNG, and bytes that do not repeat. */
const PNG = Buffer.alloc(5_000_000)
PNG.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
for (let at = 8; at < PNG.length; at += 1) PNG[at] = (at * 2654435761) >>> 24

const DATA_URL = `data:image/png;base64,${PNG.toString('base64')}`

async function openStudio(): Promise<VirtualWorkspace> {
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
          { type: 'audio', mediaType: 'audio/flac', data: Buffer.from('fLaC') },
          { type: 'image', mediaType: 'image/tiff', data: Buffer.from('II*') },
          { type: 'resource', uri: 'note:1', text: 'Paid.' },
          { type: 'resource', uri: 'chart:1', mediaType: 'image/gif', data: Buffer.from('GIF89a') },
          { type: 'resource-link', uri: 'https://example.com/a', name: 'a' },
        ],
      }),
  })
  const catalog = await createCatalog({ tools: [draw, report] })
  return openShop([], { catalog, agent: undefined as never })
}

const BOTH: readonly Answer[] = [[{ name: 'draw' }, { name: 'report' }], 'Done.']

/** Returns the bytes that the log has of the call that drew the picture. */
async function logBytes(workspace: VirtualWorkspace): Promise<number> {
  const entries = await workspace.entries()
  const calls = entries.filter(({ event }) => event.type.startsWith('call.') && 'tool' in event)
  return JSON.stringify(calls.filter(({ event }) => 'tool' in event && event.tool === 'draw'))
    .length
}

test('Responses: parts go in the form of the wire, and audio as a sentence', async () => {
  const workspace = await openStudio()
  const { client, server } = await openModel(BOTH)
  const input: ResponseInputItem[] = [{ role: 'user', content: 'Draw.' }]
  await forOpenAI(workspace, { model: 'gpt-5.4' }).run(client, { input })
  expect(server.violations).toEqual([])
  const sent = server.requests[1]?.body['input'] as ResponseInputItem[]
  const outputs = sent.flatMap((item) =>
    item.type === 'function_call_output' ? [item.output] : [],
  )
  expect(outputs[0]).toEqual([
    { type: 'input_text', text: 'Three rows.' },
    { type: 'input_image', detail: 'auto', image_url: DATA_URL },
  ])
  expect(outputs[1]).toMatchInlineSnapshot(`
    [
      {
        "file_data": "data:application/pdf;base64,JVBERi0x",
        "filename": "a.pdf",
        "type": "input_file",
      },
      {
        "text": "An audio file was returned: audio/mpeg, 3 bytes.",
        "type": "input_text",
      },
      {
        "text": "An audio file was returned: audio/flac, 4 bytes.",
        "type": "input_text",
      },
      {
        "text": "An image was returned: image/tiff, 3 bytes.",
        "type": "input_text",
      },
      {
        "text": "A resource was returned: note:1, 5 bytes.

    Paid.",
        "type": "input_text",
      },
      {
        "detail": "auto",
        "image_url": "data:image/gif;base64,R0lGODlh",
        "type": "input_image",
      },
      {
        "text": "A link to a resource was returned: a, https://example.com/a.",
        "type": "input_text",
      },
    ]
  `)
  expect(await logBytes(workspace)).toBeLessThan(1000)
})

test('Chat Completions: parts follow all results of the turn in one message, and results describe them', async () => {
  const workspace = await openStudio()
  const { client, server } = await openModel([...BOTH, 'You are welcome.'])
  const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: 'Draw.' }]
  const chat = forChatCompletions(workspace)
  await chat.run(client, { model: 'gpt-5.4', messages })
  messages.push({ role: 'user', content: 'Thanks.' })
  await chat.run(client, { model: 'gpt-5.4', messages })
  expect(server.violations).toEqual([])
  expect(workspace.state.turn).toBe(2)
  const sent = server.requests.map(({ body }) => body['messages'] as ChatCompletionMessageParam[])
  const roles = sent[2]?.map(({ role }) => role).join(' ')
  expect(roles).toBe('user assistant tool tool user assistant user')
  const after = sent[1]?.slice(-3) ?? []
  expect(after.map((message) => withoutData(message))).toMatchInlineSnapshot(`
    [
      {
        "content": "Three rows.

    An image was returned: chart.png, image/png, 5.0 MB.",
        "role": "tool",
        "tool_call_id": "call_1_1",
      },
      {
        "content": "A file was returned: a.pdf, application/pdf, 6 bytes.

    An audio file was returned: audio/mpeg, 3 bytes.

    An audio file was returned: audio/flac, 4 bytes.

    An image was returned: image/tiff, 3 bytes.

    A resource was returned: note:1, 5 bytes.

    Paid.

    A resource was returned: chart:1, image/gif, 6 bytes.

    A link to a resource was returned: a, https://example.com/a.",
        "role": "tool",
        "tool_call_id": "call_1_2",
      },
      {
        "content": [
          {
            "text": "From the workspace, not from the user. The contents of the results above:",
            "type": "text",
          },
          {
            "image_url": {
              "url": "(the picture)",
            },
            "type": "image_url",
          },
          {
            "file": {
              "file_data": "data:application/pdf;base64,JVBERi0x",
              "filename": "a.pdf",
            },
            "type": "file",
          },
          {
            "input_audio": {
              "data": "SUQz",
              "format": "mp3",
            },
            "type": "input_audio",
          },
          {
            "image_url": {
              "url": "data:image/gif;base64,R0lGODlh",
            },
            "type": "image_url",
          },
        ],
        "role": "user",
      },
    ]
  `)
  expect(JSON.stringify(after)).toContain(DATA_URL)
  const bytes = sent.map((one) => JSON.stringify(one).slice(0, -1))
  expect(bytes[2]?.startsWith(bytes[1] ?? '-')).toBe(true)
  expect(await logBytes(workspace)).toBeLessThan(1000)
})

test.each(['all', 'the first', 'the last'] as const)(
  'Chat Completions: files whose results the host removed (%s) leave a valid history',
  async (removed) => {
    const { client, server } = await openModel([...BOTH, 'You are welcome.'])
    const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: 'Draw.' }]
    await forChatCompletions(await openStudio()).run(client, { model: 'gpt-5.4', messages })
    const kept = messages.filter(
      ({ role }, index) =>
        role !== 'tool' ||
        (removed === 'the first' && messages[index - 1]?.role === 'tool') ||
        (removed === 'the last' && messages[index + 1]?.role === 'tool'),
    )
    kept.push({ role: 'user', content: 'Thanks.' })
    // Another process does not know the results.
    const later = forChatCompletions(await openStudio())
    await later.run(client, { model: 'gpt-5.4', messages: kept })
    expect(server.violations).toEqual([])
    const isSent = JSON.stringify(server.requests[2]?.body).includes(DATA_URL)
    expect(isSent).toBe(removed !== 'all')
  },
)

/** Shortens the picture. */
function withoutData(message: ChatCompletionMessageParam): unknown {
  return JSON.parse(JSON.stringify(message).replaceAll(DATA_URL, '(the picture)'))
}
