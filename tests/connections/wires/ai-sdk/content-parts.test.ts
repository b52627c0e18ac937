import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { type LanguageModel, type ModelMessage, tool, ToolLoopAgent, type ToolResultPart } from 'ai'
import { createCatalog, defineTool, succeed, toolsFromAiSdk, VirtualWorkspace } from 'loadout'
import type { ContentPart, ReturnedPart } from '../../../../src/tools/response/content-part.ts'
import { forAiSdk } from 'loadout/ai-sdk'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { transcriptTools } from '../../../../src/connections/wires/ai-sdk/sdk-tool.ts'
import { readMessage } from '../../../../src/connections/wires/ai-sdk/read-message.ts'
import { fitParts } from '../../../../src/connections/wires/ai-sdk/fit-parts.ts'
import { openWireServer } from '../../../wires/server/open-wire-server.ts'

const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(4_999_992, 0xa7)])
const BASE64 = PNG.toString('base64')
const IMAGE = { type: 'image', mediaType: 'image/png', data: PNG, name: 'chart.png' } as const
const SENTENCE = 'An image was returned: chart.png, image/png, 5.0 MB.'

type Client = (url: string) => LanguageModel

const openai: Client = (url) => createOpenAI({ apiKey: 'k', baseURL: `${url}/v1` })('gpt-5.4')
const chat: Client = (url) => createOpenAI({ apiKey: 'k', baseURL: `${url}/v1` }).chat('gpt-5.4')
const compatible: Client = (url) =>
  createOpenAICompatible({ name: 'local', baseURL: `${url}/v1` })('qwen3')
const anthropic: Client = (url) =>
  createAnthropic({ apiKey: 'k', baseURL: `${url}/v1` })('claude-opus-4-8')

/** Two turns, in the first of which a tool returns parts. Returns the parsed requests. */
async function requests(client: Client, content: readonly ReturnedPart[]): Promise<string[]> {
  const chart = defineTool({
    name: 'chart',
    description: 'Draw.',
    category: 'retrieval',
    execute: () => succeed({ secret: 'for the host' }, { content }),
  })
  const catalog = await createCatalog({ tools: [chart] })
  const workspace = await VirtualWorkspace.open({ catalog })
  const server = await openWireServer({
    answers: [[{ name: 'chart', input: {} }], 'It shows two rows.', 'You are welcome.'],
  })
  const agent = new ToolLoopAgent({ model: client(server.url), ...forAiSdk(workspace) })
  const messages: ModelMessage[] = []
  for (const content of ['Draw it.', 'Thanks.']) {
    messages.push({ role: 'user', content })
    messages.push(...(await agent.generate({ messages })).responseMessages)
  }
  await server.close()
  expect(server.violations).toEqual([])
  expect(server.requests).toHaveLength(3)
  return server.requests.map(({ body }) => JSON.stringify(body))
}

describe('an image of 5 MB in a result', () => {
  const content = [{ type: 'text', text: 'Two rows.' }, IMAGE] as const

  test.each<{ name: string; client: Client; form: string }>([
    {
      name: 'OpenAI Responses',
      client: openai,
      form: `{"type":"input_image","image_url":"data:image/png;base64,${BASE64}"}`,
    },
    {
      name: 'Anthropic',
      client: anthropic,
      form: `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"${BASE64}"}}`,
    },
  ])('is sent in the form of $name, and nowhere else', async ({ client, form }) => {
    const [, ...after] = await requests(client, content)
    for (const body of after) {
      expect(body.split(form)).toHaveLength(2)
      expect(body.replace(form, '')).not.toContain(BASE64.slice(0, 100))
      expect(body).toContain('Two rows.')
      expect(body).not.toContain('for the host')
    }
  })

  test('is a sentence for a compatible server, whose model may see no images', async () => {
    const [, ...after] = await requests(compatible, content)
    for (const body of after) {
      expect(body).toContain(JSON.stringify(`Two rows.\n\n${SENTENCE}`))
      expect(body.length).toBeLessThan(10_000)
    }
  })

  test('is in a message of the user after the result, which describes it, for Chat Completions', async () => {
    const [, ...after] = await requests(chat, content)
    const image = `{"type":"image_url","image_url":{"url":"data:image/png;base64,${BASE64}"}}`
    for (const body of after) {
      expect(body).toContain(JSON.stringify(`Two rows.\n\n${SENTENCE}`))
      expect(body.split(image)).toHaveLength(2)
      expect(body.replace(image, '').length).toBeLessThan(10_000)
    }
  })
})

test('for Chat Completions, files follow all results of an answer, and a message that was sent stays', async () => {
  const read = defineTool({
    name: 'read',
    description: 'Reads a file.',
    category: 'retrieval',
    inputSchema: z.object({ file: z.string() }),
    execute: ({ file }) =>
      succeed(file, { content: [{ ...FILES[file], name: file } as ReturnedPart] }),
  })
  const workspace = await VirtualWorkspace.open({
    catalog: await createCatalog({ tools: [read] }),
    provider: 'openai',
  })
  const server = await openWireServer({
    answers: [
      [
        { name: 'read', input: { file: 'a.gif' } },
        { name: 'read', input: { file: 'b.zip' } },
        { name: 'read', input: { file: 'c.pdf' } },
      ],
      [{ name: 'read', input: { file: 'b.zip' } }],
      [{ name: 'read', input: { file: 'd.wav' } }],
      'Done.',
      'Bye.',
    ],
  })
  const agent = new ToolLoopAgent({ model: chat(server.url), ...forAiSdk(workspace) })
  const messages: ModelMessage[] = []
  for (const content of ['Read all.', 'Thanks.']) {
    messages.push({ role: 'user', content })
    messages.push(...(await agent.generate({ messages })).responseMessages)
  }
  await server.close()
  expect(server.violations).toEqual([])
  const sent = server.requests.map(({ body }) => body['messages'] as { role: string }[])
  expect(
    sent
      .at(-1)
      ?.map(({ role }) => role)
      .join(' '),
  ).toBe('user assistant tool tool tool user assistant tool assistant tool user assistant user')
  const last = JSON.stringify(sent.at(-1))
  for (const type of ['image_url', 'file', 'input_audio']) {
    expect(last.split(`"type":"${type}"`)).toHaveLength(2)
  }
  const bytes = sent.map((one) => JSON.stringify(one).slice(0, -1))
  for (const [index, one] of bytes.entries()) {
    expect(one.startsWith(bytes[index - 1] ?? '')).toBe(true)
  }
  const steps = (await workspace.entries()).flatMap(({ event }) =>
    event.type === 'step.begun' ? [event.cost?.changed ?? null] : [],
  )
  expect(steps).toEqual([null, null, null, null, null])
  expect(workspace.state.turn).toBe(2)
})

describe('a tool of the SDK that returns the result of an MCP server', () => {
  const content = [
    { type: 'text', text: 'A chart, and how it sounds.' },
    { type: 'image', data: BASE64.slice(0, 800), mimeType: 'image/png' },
    { type: 'audio', data: Buffer.alloc(600, 0xa7).toString('base64'), mimeType: 'audio/wav' },
  ]
  /** As `@ai-sdk/mcp` does it. */
  const asMcp = (): Output => ({
    type: 'content',
    value: content.map((part) => {
      const { type, text, data, mimeType } = part
      if (type === 'text') return { type, text: String(text) }
      return type === 'image'
        ? { type: 'file', mediaType: String(mimeType), data: { type: 'data', data: String(data) } }
        : { type: 'text', text: JSON.stringify(part) }
    }),
  })
  const deprecated = (): Output => ({
    type: 'content',
    value: [
      { type: 'text', text: 'A chart, and how it sounds.' },
      { type: 'image-data', data: BASE64.slice(0, 800), mediaType: 'image/png' },
      { type: 'file-data', data: BASE64.slice(0, 800), mediaType: 'audio/wav' },
    ],
  })

  test.each(
    [openai, anthropic, chat, compatible].flatMap((client) =>
      [undefined, asMcp, deprecated].map((toModelOutput) => ({ client, toModelOutput })),
    ),
  )('has its image as an image, and no base64 in a text', async ({ client, toModelOutput }) => {
    const given = tool({
      description: 'Draws.',
      inputSchema: z.object({}),
      execute: () => ({ content }),
      ...(toModelOutput && { toModelOutput }),
    })
    const catalog = await createCatalog({ tools: toolsFromAiSdk({ draw: given as never }) })
    const workspace = await VirtualWorkspace.open({ catalog })
    const server = await openWireServer({ answers: [[{ name: 'draw' }], 'Done.', 'Bye.'] })
    const agent = new ToolLoopAgent({ model: client(server.url), ...forAiSdk(workspace) })
    const messages: ModelMessage[] = []
    for (const text of ['Draw.', 'Thanks.']) {
      messages.push({ role: 'user', content: text })
      messages.push(...(await agent.generate({ messages })).responseMessages)
    }
    await server.close()
    expect(server.violations).toEqual([])
    const [, ...after] = server.requests.map(({ body }) => JSON.stringify(body))
    for (const body of after) {
      expect(body.includes(BASE64.slice(0, 800))).toBe(client !== compatible)
      expect(body).toContain('A chart, and how it sounds.')
      expect(body).toContain('An audio file was returned: audio/wav')
    }
    await workspace.close()
  })
})

type Output = ToolResultPart['output']

const FILES: Readonly<Record<string, object>> = {
  'a.gif': { type: 'image', mediaType: 'image/gif', data: Buffer.from('GIF89a') },
  'b.zip': { type: 'file', mediaType: 'application/zip', data: Buffer.from('PK') },
  'c.pdf': { type: 'file', mediaType: 'application/pdf', data: Buffer.from('%PDF-1.7') },
  'd.wav': { type: 'audio', mediaType: 'audio/wav', data: Buffer.from('RIFF1234WAVE') },
}

test.each<{ name: string; client: Client }>([
  { name: 'OpenAI Responses', client: openai },
  { name: 'Anthropic', client: anthropic },
])('what $name does not take in a result is a sentence', async ({ client }) => {
  const data = Buffer.alloc(1_500, 0xa7)
  const [, after = ''] = await requests(client, [
    { type: 'audio', mediaType: 'audio/wav', data },
    { type: 'file', mediaType: 'application/zip', data, name: 'all.zip' },
    { type: 'resource-link', uri: 'https://example.com/a', name: 'a' },
    { type: 'resource', uri: 'test://a', text: 'Inside.' },
  ])
  expect(after).toContain('An audio file was returned: audio/wav, 1.5 kB.')
  expect(after).toContain('A file was returned: all.zip, application/zip, 1.5 kB.')
  expect(after).toContain('A link to a resource was returned: a, https://example.com/a.')
  expect(after).toContain('A resource was returned: test://a, 7 bytes.\\n\\nInside.')
  expect(after).not.toContain(data.toString('base64').slice(0, 50))
})

describe('the form of the SDK', () => {
  const output = (content: readonly ContentPart[]) => {
    const { chart } = transcriptTools()
    const value = { ok: true, data: 1, content, intents: [], meta: { version: '1.0.0' } }
    return chart?.toModelOutput?.({ toolCallId: 'c1', input: {}, output: value })
  }

  test('one text part is text', () => {
    expect(output([{ type: 'text', text: 'Two rows.' }])).toEqual({
      type: 'text',
      value: 'Two rows.',
    })
  })

  test('data is a file', () => {
    const data = BASE64.slice(0, 400)
    expect(output([{ type: 'image', mediaType: 'image/png', data, name: 'a.png' }])).toEqual({
      type: 'content',
      value: [
        {
          type: 'file',
          mediaType: 'image/png',
          filename: 'a.png',
          data: { type: 'data', data },
        },
      ],
    })
  })
})

test('bytes in a result are not read as the members of an object', () => {
  let reads = 0
  const data = Buffer.alloc(3)
  Object.defineProperty(data, 'size', { enumerable: true, get: () => (reads += 1) })
  const file = {
    type: 'file' as const,
    mediaType: 'image/png',
    data: { type: 'data' as const, data },
  }
  const output = { type: 'content' as const, value: [file] }
  const part = { type: 'tool-result' as const, toolCallId: 'c1', toolName: 'chart', output }
  const { content } = readMessage({ role: 'tool', content: [part] })
  expect(content).toContain('image/png')
  expect(reads).toBe(0)
})

test('a message that a model takes is left alone', () => {
  const model = anthropic('http://localhost')
  const value = [{ type: 'text' as const, text: 'Two rows.' }]
  const result = { type: 'tool-result', toolCallId: 'c1', toolName: 'chart' } as const
  const message: ModelMessage = {
    role: 'tool',
    content: [{ ...result, output: { type: 'content', value } }],
  }
  const fit = (given: ModelMessage, by: LanguageModel) => fitParts([given], by)[0]?.[0]
  expect(fit(message, model)).toBe(message)
  const fitted = fit(message, 'a-gateway/model') as ModelMessage
  expect(fitted).not.toBe(message)
  expect(fit(fitted, 'a-gateway/model')).toBe(fitted)
})
