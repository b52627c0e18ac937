import { join } from 'node:path'
import { providerTool } from 'loadout/adapter'
import { expect, test } from 'vitest'
import { PROJECT } from '../../scripts/run-command.ts'
import { randomTools } from '../connections/wires/random-tool-schema.ts'
import { besideFrameworks } from './installed.ts'

/** An agent of a user, with the client of Google and a server on loopback in the place of Google's. */
const AGENT = `
  import { createServer } from 'node:http'
  import type { AddressInfo } from 'node:net'
  import { json } from 'node:stream/consumers'
  import { type Content, GoogleGenAI } from '@google/genai'
  import { createCatalog, defineTool, succeed, VirtualWorkspace } from 'loadout'
  import { forGemini } from 'loadout/gemini'

  const call = (args: object, more: object = {}) => ({ functionCall: { name: 'draw', args, ...more } })
  const answer = (...parts: object[]) => ({
    candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 2, thoughtsTokenCount: 1 },
  })
  const signed = { ...call({ color: 'red' }), thoughtSignature: 'c2lnbmF0dXJl' }
  const ANSWERS: object[][] = [
    [answer({ text: 'I draw.', thought: true }, signed, call({ color: 'blue' }))],
    [answer({ text: 'Both are drawn.' })],
    [{ candidates: [{ content: { parts: [{ text: 'I th', thought: true }] } }] },
      { candidates: [{ content: { parts: [{ text: 'ink.', thought: true }] } }] },
      { candidates: [{ content: { parts: [{ ...signed, ...call({ color: 'red' }, { id: 'fc-1' }) }] } }] },
      answer()],
    [{ candidates: [{ content: { parts: [{ text: 'It is ' }] } }] }, answer({ text: 'drawn.' })],
    [{ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }],
  ]
  const requests: { path: string; body: any }[] = []
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      requests.push({ path: request.url ?? '', body })
      const chunks = ANSWERS[requests.length - 1] ?? []
      const isStream = (request.url ?? '').includes('stream')
      response.setHeader('content-type', isStream ? 'text/event-stream' : 'application/json')
      response.end(isStream ? chunks.map((one) => 'data: ' + JSON.stringify(one) + '\\n\\n').join('') : JSON.stringify(chunks[0]))
    })
  })
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve) })
  const { port } = server.address() as AddressInfo
  const client = new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: 'http://127.0.0.1:' + port } })

  const png = Buffer.from('89504e470d0a1a0a', 'hex')
  const draw = defineTool({
    name: 'draw', description: 'Draws.', category: 'retrieval',
    inputSchema: {
      type: 'object', additionalProperties: false, required: ['color'],
      properties: { color: { $ref: '#/definitions/color', description: 'One.' } },
      definitions: { color: { enum: ['red', 'blue'], pattern: '^(?=[rb])' } },
    } as const,
    execute: () => succeed({ drawn: 1 }, { content: [{ type: 'image', mediaType: 'image/png', data: png }] }),
  })
  const catalog = await createCatalog({ tools: [draw] })
  const workspace = await VirtualWorkspace.open({ catalog, provider: 'google' })

  const model = 'gemini-3.8-flash'
  const config = { systemInstruction: 'Be brief.', temperature: 0, tools: [{ googleSearch: {} }] }
  const gemini = forGemini(workspace, { model, config })
  const contents: Content[] = [{ role: 'user', parts: [{ text: 'Draw it.' }] }]
  const statuses: string[] = []
  for (let status = 'continue'; status === 'continue'; statuses.push(status)) {
    const request = await gemini.next(contents)
    const response = await client.models.generateContent({ model, ...request })
    const answered = await gemini.answer(response)
    contents.push(...answered.items)
    status = answered.status
  }
  contents.push({ role: 'user', parts: [{ text: 'Again.' }] })
  let chunks = 0
  const run = await gemini.run(client, { contents, onChunk: () => void (chunks += 1) })
  contents.push({ role: 'user', parts: [{ text: 'Something bad.' }] })
  const blocked = await gemini.run(client, { model, contents })
  console.log(JSON.stringify({
    statuses, streamed: run.status, text: run.response?.text, chunks, blocked: blocked.status, requests,
  }))
  await workspace.close()
  server.close()
`

const TSCONFIG = {
  compilerOptions: {
    module: 'nodenext',
    target: 'es2024',
    lib: ['es2024', 'dom'],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: ['node'],
    typeRoots: [join(PROJECT, 'node_modules', '@types')],
  },
  include: ['agent.ts'],
}

interface Printed {
  readonly requests: readonly {
    readonly path: string
    readonly body: Readonly<Record<string, unknown>>
  }[]
}

test('the client of Google is taken without a cast, and sends what the adapter writes', async () => {
  const { node } = await besideFrameworks({
    'agent.ts': AGENT,
    'tsconfig.json': JSON.stringify(TSCONFIG),
  })
  const compiled = await node(join(PROJECT, 'node_modules/typescript/bin/tsc'), '--project', '.')
  expect(compiled.stdout).toBe('')
  const { code, stdout, stderr } = await node('agent.ts')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const { requests, ...ended } = JSON.parse(stdout) as Printed
  expect(ended).toEqual({
    statuses: ['continue', 'done'],
    streamed: 'done',
    text: 'It is drawn.',
    chunks: 6,
    blocked: 'failed',
  })
  const [first, second, third, fourth] = requests
  expect(first?.path).toBe('/v1/models/gemini-3.8-flash:generateContent')
  expect(fourth?.path).toBe('/v1/models/gemini-3.8-flash:streamGenerateContent?alt=sse')
  expect(first?.body).toEqual({
    contents: [{ role: 'user', parts: [{ text: 'Draw it.' }] }],
    systemInstruction: { role: 'user', parts: [{ text: 'Be brief.' }] },
    generationConfig: { temperature: 0 },
    tools: [
      { googleSearch: {} },
      {
        functionDeclarations: [
          {
            name: 'draw',
            description: 'Draws.',
            parametersJsonSchema: {
              type: 'object',
              additionalProperties: false,
              required: ['color'],
              properties: { color: { description: 'One.', anyOf: [{ $ref: '#/$defs/color' }] } },
              $defs: { color: { enum: ['red', 'blue'], pattern: '^(?=[rb])' } },
            },
          },
        ],
      },
    ],
  })
  const result = {
    functionResponse: {
      name: 'draw',
      response: { output: expect.stringContaining('image/png') as string },
      parts: [{ inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }],
    },
  }
  const contents = (request: typeof first) => request?.body['contents'] as readonly object[]
  expect(contents(second).slice(1)).toEqual([
    {
      role: 'model',
      parts: [
        { text: 'I draw.', thought: true },
        {
          functionCall: { name: 'draw', args: { color: 'red' } },
          thoughtSignature: 'c2lnbmF0dXJl',
        },
        { functionCall: { name: 'draw', args: { color: 'blue' } } },
      ],
    },
    { role: 'user', parts: [result, result] },
  ])
  for (const [earlier, later] of [
    [first, second],
    [second, third],
    [third, fourth],
  ] as const) {
    expect(later?.body['tools']).toEqual(earlier?.body['tools'])
    expect(contents(later).slice(0, contents(earlier).length)).toEqual(contents(earlier))
  }
  expect(contents(fourth).slice(-2)).toEqual([
    {
      role: 'model',
      parts: [
        { text: 'I think.', thought: true },
        {
          functionCall: { id: 'fc-1', name: 'draw', args: { color: 'red' } },
          thoughtSignature: 'c2lnbmF0dXJl',
        },
      ],
    },
    {
      role: 'user',
      parts: [{ functionResponse: { id: 'fc-1', ...result.functionResponse } }],
    },
  ])
})

/** Sends each declaration through the client, and prints those that came to the server in another form. */
const SENDER = `
  import { readFileSync } from 'node:fs'
  import { GoogleGenAI } from '@google/genai'
  const tools = JSON.parse(readFileSync('tools.json', 'utf8'))
  const before = JSON.stringify(tools)
  let body
  globalThis.fetch = async (url, request) => {
    body = JSON.parse(request.body)
    return new Response('{}', { headers: { 'content-type': 'application/json' } })
  }
  const client = new GoogleGenAI({ apiKey: 'k' })
  const changed = []
  for (const tool of tools) {
    await client.models.generateContent({
      model: 'm', contents: 'Go.', config: { tools: [{ functionDeclarations: [tool] }] },
    })
    const [sent] = body.tools[0].functionDeclarations
    if (JSON.stringify(sent) !== JSON.stringify(tool)) changed.push({ tool, sent })
  }
  console.log(JSON.stringify({ count: tools.length, changed, same: JSON.stringify(tools) === before }))
`

test('every schema goes through the client of Google without a change', async () => {
  const tools = randomTools(300, 7).map(({ schema }, index) =>
    providerTool(
      { name: `tool_${index}`, description: 'Does it.', inputSchema: schema },
      'gemini-json',
    ),
  )
  const { node } = await besideFrameworks({
    'tools.json': JSON.stringify(tools),
    'sender.mjs': SENDER,
  })
  const { code, stdout, stderr } = await node('sender.mjs')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(JSON.parse(stdout)).toEqual({ count: 300, changed: [], same: true })
})
