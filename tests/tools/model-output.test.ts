import { jsonSchema, tool } from 'ai'
import { createCatalog, toolsFromAiSdk, VirtualWorkspace, type ToolResponse } from 'loadout'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const inputSchema = jsonSchema({ type: 'object' })

type Given = Parameters<typeof toolsFromAiSdk>[0][string]

async function called(given: Given): Promise<ToolResponse> {
  const tools = toolsFromAiSdk({ probe: given })
  const workspace = await VirtualWorkspace.open({ catalog: await createCatalog({ tools }) })
  return workspace.callTool('probe', {})
}

const PNG = 'iVBORw0KGgo='

describe('toModelOutput of a tool of the SDK', () => {
  async function shown(value: unknown): Promise<ToolResponse> {
    return called({ inputSchema, execute: () => ({ rows: 2 }), toModelOutput: () => value })
  }

  test.each<{ value: unknown; content: unknown }>([
    { value: { type: 'text', value: 'Two rows.' }, content: [{ type: 'text', text: 'Two rows.' }] },
    { value: { type: 'json', value: [1] }, content: [{ type: 'text', text: '[1]' }] },
    {
      value: {
        type: 'content',
        value: [
          { type: 'text', text: 'A chart.' },
          { type: 'image-data', mediaType: 'image/png', data: PNG },
          { type: 'file-data', mediaType: 'application/pdf', data: 'AQID', filename: 'a.pdf' },
          { type: 'media', mediaType: 'audio/wav', data: 'AQID' },
        ],
      },
      content: [
        { type: 'text', text: 'A chart.' },
        { type: 'image', mediaType: 'image/png', data: PNG },
        { type: 'file', mediaType: 'application/pdf', data: 'AQID', name: 'a.pdf' },
        { type: 'audio', mediaType: 'audio/wav', data: 'AQID' },
      ],
    },
    {
      value: {
        type: 'content',
        value: [
          { type: 'file', mediaType: 'image', data: { type: 'data', data: PNG } },
          { type: 'file', mediaType: 'image/*', data: { type: 'data', data: new ArrayBuffer(3) } },
          {
            type: 'file',
            mediaType: 'image/gif',
            filename: 'a.gif',
            data: { type: 'data', data: new Uint8Array([1, 2, 3]) },
          },
          { type: 'file', mediaType: 'text', data: { type: 'text', text: 'Inside.' } },
          {
            type: 'file',
            mediaType: 'application/pdf',
            data: { type: 'url', url: new URL('https://example.com/a.pdf') },
          },
        ],
      },
      content: [
        { type: 'image', mediaType: 'image/png', data: PNG },
        { type: 'file', mediaType: 'application/octet-stream', data: 'AAAA' },
        { type: 'image', mediaType: 'image/gif', data: 'AQID', name: 'a.gif' },
        { type: 'text', text: 'Inside.' },
        {
          type: 'resource-link',
          uri: 'https://example.com/a.pdf',
          mediaType: 'application/pdf',
        },
      ],
    },
    {
      value: {
        type: 'content',
        value: [
          { type: 'image-url', url: `data:image/png;base64,${PNG}` },
          { type: 'file-url', url: 'https://example.com/b' },
          { type: 'image-file-id', fileId: 'f1' },
          {
            type: 'file',
            mediaType: 'image/png',
            data: { type: 'reference', reference: { openai: 'f1' } },
          },
        ],
      },
      content: [
        { type: 'image', mediaType: 'image/png', data: PNG },
        { type: 'resource-link', uri: 'https://example.com/b' },
        {
          type: 'text',
          text: 'A part of the type "image-file-id" was left out: only its provider can read it.',
        },
        { type: 'text', text: 'A file was left out: only its provider can read it.' },
      ],
    },
  ])('$value becomes parts, and the output stays the data', async ({ value, content }) => {
    expect(await shown(value)).toMatchObject({ ok: true, data: { rows: 2 }, content })
  })

  test.each([
    { value: { type: 'error-text', value: 'No rows.' }, type: 'PERMANENT', message: 'No rows.' },
    { value: { type: 'error-json', value: { a: 1 } }, type: 'PERMANENT', message: '{"a":1}' },
    {
      value: { type: 'execution-denied', reason: 'Not now.' },
      type: 'DENIED',
      message: 'Not now.',
    },
  ])('$value is a failure', async ({ value, type, message }) => {
    expect(await shown(value)).toMatchObject({ ok: false, error: { type, message } })
  })

  test('that writes the output itself adds no parts', async () => {
    const response = await called(
      tool({
        inputSchema: z.object({}),
        execute: () => ({ rows: 2 }),
        toModelOutput: ({ output }) => ({ type: 'json', value: output }),
      }),
    )
    expect(response).toMatchObject({ ok: true, data: { rows: 2 } })
    expect(response).not.toHaveProperty('content')
  })

  test('gets the call, its input and the last output of a stream', async () => {
    const seen: unknown[] = []
    const response = await called({
      inputSchema,
      async *execute() {
        yield await Promise.resolve('asking')
        yield 'sunny'
      },
      toModelOutput: async (options) => {
        seen.push(options)
        return { type: 'text', value: `It is ${options.output}.` }
      },
    })
    expect(response).toMatchObject({
      ok: true,
      data: 'sunny',
      content: [{ type: 'text', text: 'It is sunny.' }],
    })
    expect(seen).toEqual([{ toolCallId: response.meta.call, input: {}, output: 'sunny' }])
  })
})

describe('the result of an MCP tool', () => {
  const mcp = (result: unknown): Promise<ToolResponse> =>
    called({ inputSchema, execute: () => Promise.resolve(result) })

  test('becomes parts, and its text the data', async () => {
    const response = await mcp({
      content: [
        { type: 'text', text: 'Here it is.', annotations: { priority: 1 } },
        { type: 'image', data: PNG, mimeType: 'image/png' },
        { type: 'audio', data: 'AQID', mimeType: 'audio/wav' },
        { type: 'image', data: 'AQID', mimeType: 'application/pdf' },
        { type: 'resource_link', uri: 'file:///a.md', name: 'a.md', mimeType: 'text/markdown' },
        { type: 'resource', resource: { uri: 'test://a', mimeType: 'text/plain', text: 'Inside' } },
        { type: 'resource', resource: { uri: 'test://b', blob: 'AQID' } },
      ],
      isError: false,
    })
    expect(response).toMatchObject({
      ok: true,
      data: 'Here it is.',
      content: [
        { type: 'text', text: 'Here it is.' },
        { type: 'image', mediaType: 'image/png', data: PNG },
        { type: 'audio', mediaType: 'audio/wav', data: 'AQID' },
        { type: 'file', mediaType: 'application/pdf', data: 'AQID' },
        { type: 'resource-link', uri: 'file:///a.md', name: 'a.md', mediaType: 'text/markdown' },
        { type: 'resource', uri: 'test://a', mediaType: 'text/plain', text: 'Inside' },
        { type: 'resource', uri: 'test://b', data: 'AQID' },
      ],
    })
  })

  test('has its structured content as data', async () => {
    const structuredContent = { degrees: 21 }
    const content = [{ type: 'text', text: '{"degrees":21}' }]
    expect(await mcp({ content, structuredContent })).toMatchObject({
      ok: true,
      data: structuredContent,
      content,
    })
  })

  test('that is only text is that text, once', async () => {
    const result = { content: [{ type: 'text', text: 'x'.repeat(900_000) }] }
    const response = await mcp(result)
    expect(response).toMatchObject({ ok: true, data: 'x'.repeat(900_000) })
    expect(response).not.toHaveProperty('content')
  })

  test('with an image of 3 MB goes through', async () => {
    const data = Buffer.alloc(3_000_000, 7).toString('base64')
    const response = await mcp({ content: [{ type: 'image', data, mimeType: 'image/png' }] })
    expect(response).toMatchObject({ ok: true, data: '', content: [{ data }] })
  })

  test('keeps parts that the SDK writes as JSON', async () => {
    // The SDK's client gives its tools this function.
    const toModelOutput = ({ output }: { output: { content: { type: string }[] } }) => ({
      type: 'content',
      value: output.content.map((part) => {
        if (part.type === 'text') return part
        if (part.type !== 'image') return { type: 'text', text: JSON.stringify(part) }
        const { data, mimeType } = part as unknown as { data: string; mimeType: string }
        return { type: 'image-data', data, mediaType: mimeType }
      }),
    })
    const audio = { type: 'audio', data: 'AQID', mimeType: 'audio/wav' }
    const image = { type: 'image', data: PNG, mimeType: 'image/png' }
    const content = [{ type: 'text', text: 'Both:' }, audio, image]
    const execute = () => Promise.resolve({ content })
    expect(await called({ inputSchema, execute, toModelOutput })).toMatchObject({
      ok: true,
      data: 'Both:',
      content: [
        { type: 'text', text: 'Both:' },
        { type: 'audio', mediaType: 'audio/wav', data: 'AQID' },
        { type: 'image', mediaType: 'image/png', data: PNG },
      ],
    })
  })

  test.each([
    { content: [{ type: 'paragraph', content: [] }] },
    { content: [{ type: 'text', text: 'A page.' }], title: 'Page' },
    { content: [] },
    { content: 'text' },
  ])('is not recognised in %j', async (value) => {
    expect(await mcp(value)).toMatchObject({ ok: true, data: value })
  })
})
