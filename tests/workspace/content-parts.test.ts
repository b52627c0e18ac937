import { createHash } from 'node:crypto'
import fc from 'fast-check'
import {
  createMemoryLog,
  defineTool,
  fail,
  succeed,
  type Entry,
  type WorkspaceOptions,
} from 'loadout'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { ContentPart, ReturnedPart } from '../../src/tools/response/content-part.ts'
import type { BlobStore } from '../../src/workspace/calls/desk-parts.ts'
import { aTool, aWorkspace } from './a-workspace.ts'

type Options = Omit<WorkspaceOptions, 'catalog'>

/** Calls a tool that returns a value, in a session of its own. */
async function called(returned: unknown, options: Options = {}) {
  const workspace = await aWorkspace(
    {},
    { tools: [aTool('chart', { execute: () => returned })], ...options },
  )
  return { workspace, response: await workspace.callTool('chart', {}) }
}

async function calledWith(content: unknown, options: Options = {}) {
  return called({ ok: true, data: { rows: 2 }, content }, options)
}

function ended(entries: readonly Entry[]) {
  const events = entries.map(({ event }) => event)
  return events.flatMap((event) => (event.type === 'call.ended' ? event : [])).at(-1)
}

const sha256 = (bytes: Uint8Array | string): string =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`

const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(4_999_992, 0xa7)])

const image = (data: Uint8Array | string, more: object = {}): ReturnedPart => ({
  type: 'image',
  mediaType: 'image/png',
  data,
  ...more,
})

test('a handler returns an image of 5 MB next to its data, and the log grows by less than 1 kB', async () => {
  const { workspace, response } = await called(
    succeed({ rows: 2 }, { content: [image(PNG, { name: 'chart.png' })] }),
  )
  expect(response).toMatchObject({ ok: true, data: { rows: 2 } })
  if (!response.ok) return
  const data = PNG.toString('base64')
  expect(response.content).toEqual([
    { type: 'image', mediaType: 'image/png', name: 'chart.png', data },
  ])
  const without = await called(succeed({ rows: 2 }))
  const entries = await workspace.entries()
  const grown = JSON.stringify(entries).length
  expect(grown - JSON.stringify(await without.workspace.entries()).length).toBeLessThan(1_000)
  expect(ended(entries)).toMatchObject({
    content: [
      {
        type: 'image',
        mediaType: 'image/png',
        name: 'chart.png',
        bytes: 5_000_000,
        digest: sha256(PNG),
      },
    ],
  })
})

test('every kind of part is passed on in one form', async () => {
  const { response } = await calledWith([
    { type: 'text', text: 'Two rows.' },
    { type: 'audio', mediaType: 'AUDIO/WAV; rate=8000', data: new Uint8Array([1, 2, 3]) },
    { type: 'file', mediaType: 'application/pdf', data: 'AQ\r\nID\n', name: '/tmp/a b.pdf' },
    { type: 'resource', uri: 'file:///a.md', text: '# A', mediaType: 'text/markdown' },
    { type: 'resource', uri: 'test://b', data: Buffer.from('b'), annotations: {} },
    { type: 'resource-link', uri: 'https://example.com/', name: 'Home', description: 'A\npage' },
  ])
  expect(response).toMatchObject({
    ok: true,
    content: [
      { type: 'text', text: 'Two rows.' },
      { type: 'audio', mediaType: 'audio/wav', data: 'AQID' },
      { type: 'file', mediaType: 'application/pdf', data: 'AQID', name: 'a b.pdf' },
      { type: 'resource', uri: 'file:///a.md', text: '# A', mediaType: 'text/markdown' },
      { type: 'resource', uri: 'test://b', data: 'Yg==' },
      { type: 'resource-link', uri: 'https://example.com/', name: 'Home', description: 'A page' },
    ],
  })
})

test('an empty list of parts is the same as none', async () => {
  const { workspace, response } = await calledWith([])
  expect(response).toMatchObject({ ok: true, data: { rows: 2 } })
  expect(response).not.toHaveProperty('content')
  expect(ended(await workspace.entries())).not.toHaveProperty('content')
})

describe('a part that is not valid fails the call, and the error has its place', () => {
  const link = { type: 'resource-link', uri: 'https://example.com/' }
  test.each<{ content: unknown; path: string; message: RegExp }>([
    { content: 'text', path: '/content', message: /not a list of parts/ },
    { content: null, path: '/content', message: /not a list of parts/ },
    { content: [link, null], path: '/content/1', message: /not an object/ },
    { content: [{ type: 'video' }], path: '/content/0/type', message: /unknown type/ },
    { content: [link, { type: 'text' }], path: '/content/1/text', message: /without text/ },
    { content: [{ type: 'text', text: 1n }], path: '/content/0/text', message: /a bigint/ },
    {
      content: [{ type: 'image', data: '' }],
      path: '/content/0/mediaType',
      message: /without a m/,
    },
    { content: [image('AQI')], path: '/content/0/data', message: /not base64/ },
    { content: [image('AR==')], path: '/content/0/data', message: /not base64/ },
    { content: [image('<png>')], path: '/content/0/data', message: /not base64/ },
    {
      content: [image({} as string)],
      path: '/content/0/data',
      message: /neither bytes nor base64/,
    },
    {
      content: [{ type: 'image', mediaType: 'image/png' }],
      path: '/content/0/data',
      message: /without data/,
    },
    {
      content: [image('AQID', { mediaType: 'text/html' })],
      path: '/content/0/mediaType',
      message: /the media type of another/,
    },
    { content: [{ ...link, uri: 'a.md' }], path: '/content/0/uri', message: /without a valid URI/ },
    {
      content: [{ ...link, uri: `data:image/png;base64,${'A'.repeat(2_000)}` }],
      path: '/content/0/uri',
      message: /without a valid URI/,
    },
    {
      content: [{ ...link, uri: 'https://example.com/\u202Egnp.exe' }],
      path: '/content/0/uri',
      message: /without a valid URI/,
    },
    {
      content: [{ type: 'resource', uri: 'a:b' }],
      path: '/content/0/text',
      message: /without text or data/,
    },
    {
      content: [{ type: 'resource', uri: 'a:b', text: '', data: '' }],
      path: '/content/0/data',
      message: /both text and data/,
    },
  ])('$path: $message', async ({ content, path, message }) => {
    const { response } = await calledWith(content)
    expect(response).toMatchObject({
      ok: false,
      error: { type: 'BAD_OUTPUT', message: expect.stringMatching(message) as string },
    })
    if (response.ok) return
    expect(response.error.message).toContain(`at ${path}. `)
    expect(response.error.details).toMatchObject({ issues: [{ path }] })
  })

  test.each([
    'image',
    'image/',
    '/png',
    'image/png/x',
    'image/p ng',
    'image/png\nX-Evil: 1',
    'image/\u202Egnp',
    `image/${'p'.repeat(128)}`,
    'image/-png',
    'image/*',
    '',
    7,
    null,
  ])('the media type %j', async (mediaType) => {
    const { response } = await calledWith([image('AQID', { mediaType })])
    expect(response).toMatchObject({
      ok: false,
      error: { details: { issues: [{ path: '/content/0/mediaType' }] } },
    })
  })

  test('parts that throw when they are read', async () => {
    const hostile = {
      get type(): string {
        throw new Error('no')
      },
    }
    const { response } = await calledWith([hostile])
    expect(response).toMatchObject({ ok: false, error: { type: 'BAD_OUTPUT' } })
  })
})

test.each([
  ['../../etc/passwd', 'passwd'],
  ['C:\\Users\\ada\\chart.png', 'chart.png'],
  ['gnp.\u202Eexe', 'gnp.<U+202E>exe'],
  ['a\nb.png', 'a b.png'],
  ['..', undefined],
  ['/', undefined],
  ['', undefined],
  ['n'.repeat(300), `${'n'.repeat(199)}…`],
])('the name %j of a part becomes %j', async (name, safe) => {
  const { response } = await calledWith([image('AQID', { name })])
  const part = { ...image('AQID'), ...(safe !== undefined && { name: safe }) }
  expect(response.ok && response.content).toEqual([part])
})

describe('limits', () => {
  test.each([
    { content: [image(Buffer.alloc(100))], fits: true },
    { content: [image(Buffer.alloc(101))], fits: false },
    { content: [image(Buffer.alloc(100).toString('base64'))], fits: true },
    { content: [image(Buffer.alloc(101).toString('base64'))], fits: false },
    { content: [image(Buffer.alloc(60)), image(Buffer.alloc(40))], fits: true },
    { content: [image(Buffer.alloc(60)), image(Buffer.alloc(41))], fits: false },
    { content: [{ type: 'resource', uri: 'a:b', data: Buffer.alloc(101) }], fits: false },
  ])('the data of all parts together ($#)', async ({ content, fits }) => {
    const { response } = await calledWith(content, {
      limits: { contentBytes: 100, oversized: 'fail' },
    })
    expect(response.ok).toBe(fits)
    if (response.ok) return
    expect(response.error.message).toMatch(
      /more than 100 bytes of data in its parts\. .*contentBytes/,
    )
  })

  test('the default is 20 MiB', async () => {
    const most = Buffer.alloc(20_971_520)
    const limits = { oversized: 'fail' } as const
    expect((await calledWith([image(most)], { limits })).response.ok).toBe(true)
    const over = await calledWith([image(most), image('AA==')], { limits })
    expect(over.response.ok).toBe(false)
  })

  test('text counts together with the data of the result', async () => {
    const room = async (text: number, limits: Options['limits']) =>
      (
        await calledWith([{ type: 'text', text: 'x'.repeat(text) }], {
          limits: { oversized: 'fail', ...limits },
        })
      ).response
    const overhead = JSON.stringify({ ok: true, data: { rows: 2 } }).length
    const part = JSON.stringify({ type: 'text', text: '' }).length
    const left = 1_000 - overhead - part
    expect((await room(left, { maxBytes: 1_000 })).ok).toBe(true)
    expect(await room(left + 1, { maxBytes: 1_000 })).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('larger than 1000 bytes') as string },
    })
    expect((await room(1_000_000, undefined)).ok).toBe(true)
    expect((await room(1_048_576, undefined)).ok).toBe(false)
  })

  test('data does not count as JSON, also when a schema changes the result', async () => {
    const outputSchema = z.string().overwrite((text) => text.repeat(2))
    const tool = defineTool({
      name: 'chart',
      description: 'Draw.',
      outputSchema,
      execute: () =>
        succeed('x'.repeat(400), {
          content: [image(Buffer.alloc(5_000)), { type: 'text', text: 'y'.repeat(100) }],
        }),
    })
    const run = async (maxBytes: number) => {
      const workspace = await aWorkspace(
        {},
        {
          tools: [tool],
          limits: { maxBytes, oversized: 'fail' },
        },
      )
      return (await workspace.callTool('chart', {})).ok
    }
    expect([await run(950), await run(1_100)]).toEqual([false, true])
  })
})

test('plain data that looks like an envelope with parts is data', async () => {
  const value = { ok: true, data: 1, content: [], count: 2 }
  expect((await called(value)).response).toMatchObject({ ok: true, data: value })
  const mcp = { content: [{ type: 'text', text: 'Plain.' }], isError: false }
  expect((await called(mcp)).response).toMatchObject({ ok: true, data: mcp })
})

test('a stream may end with parts, returned or yielded', async () => {
  const result = succeed(1, { content: [image(Buffer.from([1, 2, 3]))] })
  const returns = async function* () {
    yield await Promise.resolve(0)
    return result
  }
  const yields = async function* () {
    yield await Promise.resolve(0)
    yield result
  }
  for (const stream of [returns, yields]) {
    const { response } = await called(stream())
    expect(response).toMatchObject({ ok: true, data: 1, content: [{ data: 'AQID' }] })
  }
})

test('a handler passes on the parts of another tool', async () => {
  const inner = aTool('inner', { execute: () => succeed(1, { content: [image('AQID')] }) })
  const outer = aTool('outer', { execute: (_, { callTool }) => callTool('inner', {}) })
  const workspace = await aWorkspace({}, { tools: [inner, outer] })
  const response = await workspace.callTool('outer', {})
  expect(response).toMatchObject({ ok: true, data: 1, content: [image('AQID')] })
})

test('a call through call_tool returns the parts of its target', async () => {
  const workspace = await aWorkspace(
    {},
    {
      tools: [aTool('chart', { execute: () => succeed(1, { content: [image('AQID')] }) })],
      metaTools: ['call_tool'],
      exposure: 'bridge',
    },
  )
  const response = await workspace.callTool('call_tool', { name: 'chart', arguments: {} })
  expect(response).toMatchObject({ ok: true, data: 1, content: [image('AQID')] })
})

test('the tokens of a call are those of its text parts', async () => {
  const tokenCounter = { name: 'characters', count: (text: string) => text.length }
  const content = [{ type: 'text', text: 'four' }, image(Buffer.alloc(999))]
  const { workspace } = await calledWith(content, { tokenCounter })
  expect(ended(await workspace.entries())?.tokens).toEqual({ arguments: 2, result: 4 })
})

test('at most twenty parts are recorded, and the number of the others', async () => {
  const content = Array.from({ length: 23 }, (_, index) => ({ type: 'text', text: `${index}` }))
  const { workspace } = await calledWith(content)
  const event = ended(await workspace.entries())
  expect(event?.content).toHaveLength(20)
  expect(event?.contentLeftOut).toBe(3)
  expect(event?.content?.[1]).toEqual({ type: 'text', bytes: 1, digest: sha256('1') })
})

describe('a background result', () => {
  async function background(content: readonly ReturnedPart[], options: Options = {}) {
    const tool = aTool('chart', {
      background: true,
      execute: () => succeed({ rows: 2 }, { content }),
    })
    const log = createMemoryLog()
    const workspace = await aWorkspace({}, { tools: [tool], log, ...options })
    await workspace.beginTurn()
    await workspace.beginStep()
    const { meta } = await workspace.callTool('chart', {}, { caller: 'model' })
    const report = await workspace.calls.waitFor(meta.call)
    return { result: report?.result, workspace }
  }

  test('keeps a sentence for each part with data, and the model reads the parts', async () => {
    const { result, workspace } = await background([
      { type: 'text', text: 'Two rows.' },
      image(Buffer.alloc(1_500), { name: 'chart.png' }),
    ])
    const content = 'Two rows.\nAn image was returned: chart.png, image/png, 1.5 kB.'
    expect(result).toEqual({ ok: true, data: { rows: 2 }, content })
    const { conversation } = await workspace.beginStep()
    const text = conversation.find(({ id }) => id === 'background-results')?.text
    expect(text).toContain(content)
    expect(text).not.toContain('"rows"')
  })

  test('has no part of a secret and no more than the log keeps', async () => {
    const text = `${'x'.repeat(90)}correct horse battery staple${'x'.repeat(200)}`
    const { result, workspace } = await background([{ type: 'text', text }], {
      redact: { secrets: ['correct horse battery staple'] },
      limits: { keptBytes: 100 },
    })
    expect(result).toMatchObject({ ok: true, contentCutFrom: 300 })
    expect(JSON.stringify(await workspace.entries())).not.toContain('correct')
  })
})

describe('a blob store', () => {
  const parts: readonly ReturnedPart[] = [
    { type: 'text', text: 'Not stored.' },
    image(Buffer.from([1, 2, 3])),
    { type: 'resource', uri: 'a:b', data: 'BAUG' },
  ]

  test('gets the data of a result before its call ends', async () => {
    const log = createMemoryLog()
    const stored: unknown[] = []
    const blobs: BlobStore = {
      async put({ digest, mediaType, bytes }) {
        const types = (await log.read('s')).map(({ event }) => event.type)
        stored.push({ digest, mediaType, bytes: [...bytes], ended: types.includes('call.ended') })
      },
    }
    const { response } = await calledWith(parts, { log, session: 's', blobs })
    expect(response.meta).not.toHaveProperty('warnings')
    const [one, two] = [Buffer.from([1, 2, 3]), Buffer.from([4, 5, 6])]
    expect(stored).toEqual([
      { digest: sha256(one), mediaType: 'image/png', bytes: [...one], ended: false },
      { digest: sha256(two), mediaType: 'application/octet-stream', bytes: [...two], ended: false },
    ])
  })

  test('gets data that is decoded and hashed once, for the log and for it', async () => {
    const decode = vi.spyOn(Buffer, 'from')
    const data = Buffer.alloc(999, 7).toString('base64')
    const seen: string[] = []
    const blobs: BlobStore = { put: async ({ digest }) => void seen.push(digest) }
    const { workspace } = await calledWith([image(Buffer.from(data, 'base64'))], { blobs })
    const decoded = decode.mock.calls.filter((given) => (given as unknown[])[0] === data)
    decode.mockRestore()
    // The first is that of this test.
    expect(decoded).toHaveLength(2)
    expect(JSON.stringify(await workspace.entries())).toContain(seen[0])
  })

  test.each<[string, BlobStore['put'], RegExp]>([
    ['rejects', () => Promise.reject(new Error('The disk is full.')), /The disk is full\./],
    [
      'throws',
      () => {
        throw new Error('No bucket.')
      },
      /No bucket\./,
    ],
    ['hangs', () => new Promise(() => undefined), /did not end within 20 ms/],
  ])('that %s leaves the result, with a warning there and in the log', async (_, put, why) => {
    const { workspace, response } = await calledWith(parts, {
      blobs: { put },
      limits: { timeoutMs: 20 },
    })
    expect(response).toMatchObject({ ok: true, content: { length: 3 } })
    expect(response.meta.warnings).toEqual([expect.stringMatching(why)])
    expect((await workspace.entries()).map(({ event }) => event)).toContainEqual(
      expect.objectContaining({ type: 'warning.given', code: 'blobs-not-stored' }),
    )
  })

  test('gets nothing of a call that failed', async () => {
    const put = () => expect.unreachable()
    const { response } = await called(fail('CONFLICT', 'Taken.'), { blobs: { put } })
    expect(response.ok).toBe(false)
  })
})

describe('laws', () => {
  const text = fc.string({ unit: 'binary', maxLength: 30 })
  const mediaType = (type?: string) =>
    fc
      .tuple(
        type ? fc.constant(type) : fc.stringMatching(/^[a-z0-9][a-z0-9.+-]{0,9}$/),
        fc.stringMatching(/^[a-z0-9][a-z0-9.+-]{0,9}$/),
      )
      .map((names) => names.join('/'))
  const bytes = fc.uint8Array({ maxLength: 60 })
  const name = fc.option(fc.stringMatching(/^[a-z]{1,9}\.[a-z]{3}$/), { nil: undefined })
  const uri = fc.webUrl()
  const part = fc.oneof(
    fc.record({ type: fc.constant('text'), text }),
    ...['image', 'audio', 'file'].map((type) =>
      fc.record({
        type: fc.constant(type),
        mediaType: mediaType(type === 'file' ? undefined : type),
        data: bytes,
        name,
      }),
    ),
    fc.record({ type: fc.constant('resource'), uri, text, name }),
    fc.record({ type: fc.constant('resource'), uri, data: bytes, name }),
    fc.record({ type: fc.constant('resource-link'), uri, name }),
  )
  const plain = (given: object): ContentPart =>
    JSON.parse(
      JSON.stringify(given, (_, value: unknown) =>
        value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
      ),
    ) as ContentPart

  test('valid parts come back as they were given, as bytes and as base64, and again', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 6 }), async (given) => {
        const expected = given.map(plain)
        const once = await calledWith(given)
        const again = await called(once.response)
        const asText = await calledWith(expected)
        for (const { response } of [once, again, asText]) {
          expect(response).toMatchObject({ ok: true, data: { rows: 2 } })
          expect(response.ok && response.content).toEqual(expected)
        }
      }),
      { numRuns: 60 },
    )
  })

  test('whatever a handler returns as content, the response is JSON and the log has no data', async () => {
    const hostile = fc.record(
      {
        type: fc.oneof(fc.constantFrom('image', 'file', 'resource', 'text'), fc.string()),
        mediaType: fc.oneof(mediaType('image'), text, fc.anything()),
        data: fc.oneof(bytes, text, fc.anything()),
        uri: fc.oneof(uri, text),
        text: fc.oneof(text, fc.anything()),
        name: text,
      },
      { requiredKeys: ['type'] },
    )
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.array(hostile), fc.anything()), async (content) => {
        const { workspace, response } = await calledWith(content)
        expect(JSON.parse(JSON.stringify(response))).toEqual(response)
        if (!response.ok) expect(response.error.type).toBe('BAD_OUTPUT')
        const event = ended(await workspace.entries())
        for (const recorded of event?.content ?? []) {
          expect(Object.keys(recorded)).not.toContain('data')
          expect(Object.keys(recorded)).not.toContain('text')
        }
      }),
      { numRuns: 100 },
    )
  })
})
