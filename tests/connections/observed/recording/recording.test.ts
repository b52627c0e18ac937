import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  recordExchanges,
  type RecordedExchange,
} from '../../../../src/connections/observed/recording/record-exchanges.ts'
import { LatestTexts } from '../../../../src/connections/observed/latest-texts.ts'
import { readTranscript } from '../../../../src/connections/observed/transcripts/read-transcript.ts'
import { secretsFromEnvironment } from '../../../../src/workbench/project/config/environment-variables.ts'
import { temporaryFolder } from '../../../workbench/project/temporary-folder.ts'

const KEY = 'sk-ant-api03-made-up-key-of-this-test'

const QUERY_KEY = 'q0a1b2c3d4e5f6-of-this-test'

const PLANTED = {
  key: KEY,
  cookie: 'c0ffee-cookie-of-this-test',
  account: 'acc-0a1b2c3d-of-this-test',
  environment: 'hunter2-hunter2',
  argument: 'pa55-of-an-argument',
  nested: 'pa55-inside-of-arguments',
}

const tool = {
  name: 'login',
  input_schema: { type: 'object', properties: { password: { type: 'string' } } },
}

const messages = (count: number) => [
  { role: 'user', content: `Use ${KEY} and ${PLANTED.environment}. ${'Some words. '.repeat(40)}` },
  ...Array.from({ length: count }, (_, at) => [
    {
      role: 'assistant',
      content: [
        { type: 'tool_use', id: `c${at}`, name: 'login', input: { password: PLANTED.argument } },
      ],
      tool_calls: [{ function: { arguments: JSON.stringify({ password: PLANTED.nested }) } }],
    },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: `c${at}`, content: `done ${at} with ${KEY}` }],
    },
  ]).flat(),
]

const body = (count: number) => ({
  model: 'claude-opus-4-8',
  metadata: { user_id: PLANTED.account },
  tools: [tool],
  messages: messages(count),
})

const HEADERS = Object.entries({
  'Content-Type': 'application/json',
  'X-Api-Key': KEY,
  Cookie: `a=${PLANTED.cookie}`,
  'User-Agent': 'claude-cli/2.1.328 (external)',
  'X-Other': 'left out',
}).flat()

interface Given {
  readonly body: object
  readonly encode?: (text: Buffer) => Buffer
  readonly encoding?: string
  readonly fields?: Readonly<Record<string, string>>
  readonly answerFields?: Readonly<Record<string, string>>
  readonly status?: number
  readonly answer?: string
  readonly how?: 'complete' | 'client-aborted' | 'upstream-failed'
}

/** Records exchanges, in the parts that a socket may have them in. */
async function record(given: readonly Given[]) {
  const file = join(await temporaryFolder(), 'one.jsonl')
  const shown: RecordedExchange[] = []
  const recording = await recordExchanges(file, {
    folder: '/project',
    secrets: [PLANTED.environment],
    secretsIn: secretsFromEnvironment,
    onExchange: (one) => shown.push(one),
    onFailure: (error) => {
      throw error
    },
  })
  for (const [at, one] of given.entries()) {
    const { encode = (text: Buffer) => text, encoding, status = 200, how = 'complete' } = one
    const exchange = recording.listener.begin({
      route: 'anthropic',
      method: 'POST',
      url: `https://api.example.org/v1/messages?key=${KEY}&api_key=${QUERY_KEY}`,
      headers: [
        ...HEADERS,
        ...Object.entries(one.fields ?? {}).flat(),
        ...(encoding === undefined ? [] : ['content-encoding', encoding]),
      ],
      at: 1_000 * at,
    })
    const bytes = encode(Buffer.from(JSON.stringify(one.body)))
    exchange.requestPart(bytes.subarray(0, 7))
    exchange.requestPart(bytes.subarray(7))
    if (status > 0) {
      const headers = ['content-type', 'text/event-stream', 'set-cookie', `b=${PLANTED.cookie}`]
      headers.push(...Object.entries(one.answerFields ?? {}).flat())
      exchange.answered({ status, statusText: '', headers, at: 1_000 * at + 5 })
      exchange.responsePart(Buffer.from(one.answer ?? ANSWER))
    }
    exchange.ended(how, 1_000 * at + 9)
  }
  await recording.close()
  return { file, text: await readFile(file, 'utf8'), shown }
}

const ANSWER = [
  { type: 'message_start', message: { usage: { input_tokens: 12, cache_read_input_tokens: 30 } } },
  { type: 'content_block_delta', delta: { text: KEY.slice(0, 12) } },
  { type: 'content_block_delta', delta: { text: KEY.slice(12) } },
  { type: 'message_delta', usage: { output_tokens: 7 } },
]
  .map((event) => `data: ${JSON.stringify(event)}\n\n`)
  .join('')

test('a recording has no secret, and is a log whose session has each call, result and count once', async () => {
  const { file, text, shown } = await record([0, 1, 2, 3].map((count) => ({ body: body(count) })))
  for (const secret of Object.values(PLANTED)) expect(text).not.toContain(secret)
  expect(text).not.toContain(KEY.slice(12))
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const usage = { input: 42, cached: 30, written: 0, output: 7 }
  expect(shown[1]).toMatchObject({ at: 1000, ms: 9, status: 200, usage })
  const log = await readTranscript(file)
  const [session, ...others] = (await log?.list()) ?? []
  expect(others).toEqual([])
  const events = (await log?.read(session?.session ?? ''))?.map(({ event }) => event) ?? []
  const of = (type: string) => events.filter((event) => event.type === type)
  expect(
    [of('turn.begun'), of('step.begun'), of('call.ended')].map(({ length }) => length),
  ).toEqual([1, 4, 3])
  // What was not changed is the same after a secret was cut from it.
  const kept = of('step.begun').map((event) => 'cost' in event && event.cost)
  expect(kept.slice(1)).not.toContainEqual(expect.objectContaining({ kept: 0 }))
})

test.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
])('a body in %s is recorded as its text', async (encoding, encode) => {
  const { text } = await record([{ body: body(1), encode, encoding }])
  expect(text).toContain('done 0 with [cut: ')
  expect(text).not.toContain(KEY)
})

test('a long error has no beginning of a secret at its end', async () => {
  const answer = `${'x '.repeat(7_996)}${PLANTED.environment} ${'y '.repeat(9_000)}`
  const { text } = await record([{ body: {}, status: 500, answer }])
  expect(text).not.toContain(PLANTED.environment.slice(0, 7))
})

test('a request that no model answered has no step, and a body that is no JSON is only counted', async () => {
  const { file, shown, text } = await record([
    { body: body(0), status: 529, answer: `{"error":"overloaded ${KEY}"}` },
    { body: body(0), status: 0, how: 'upstream-failed' },
    { body: body(0) },
    { body: body(1), encode: () => Buffer.from(`no JSON ${KEY}`) },
    { body: body(1), encoding: 'gzip' },
  ])
  expect(text).not.toContain(KEY)
  expect(shown.map(({ status }) => status)).toEqual([529, null, 200, 200, 200])
  const log = await readTranscript(file)
  const [session] = (await log?.list()) ?? []
  const entries = (await log?.read(session?.session ?? '')) ?? []
  expect(entries.filter(({ event }) => event.type === 'step.begun')).toHaveLength(1)
})

test('each request has only what it adds to one of the latest: ten times the requests are ten times the size', async () => {
  const few = await record(Array.from({ length: 10 }, (_, at) => ({ body: body(at) })))
  const many = await record(Array.from({ length: 100 }, (_, at) => ({ body: body(at) })))
  expect(many.text.length).toBeLessThan(12 * few.text.length)
})

test('any texts come back from what they share', () => {
  const word = fc.constantFrom('a'.repeat(250), 'b'.repeat(250), 'c', '\ud83d', '\ude00')
  fc.assert(
    fc.property(fc.array(fc.array(word).map((words) => words.join(''))), (texts) => {
      const [writer, reader] = [new LatestTexts(), new LatestTexts()]
      expect(texts.map((one) => reader.restore(writer.shorten(one)))).toEqual(texts)
    }),
  )
})

const HIDDEN = 'q7Zx81-hidden'

/** A body with a text in a message and as the result of a call. */
const saying = (content: string) => ({
  messages: [
    { role: 'user', content },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content }] },
  ],
})

test.each<[string, object]>([
  ['a file of variables', saying(`DB_PASSWORD=${HIDDEN}\nPORT=1`)],
  ['a line with its number, in quotes', saying(`  3→export STRIPE_KEY='${HIDDEN}'`)],
  ['the address of a database', saying(`DATABASE_URL=postgres://app:${HIDDEN}@host/db`)],
  ['JSON as a text', saying(JSON.stringify({ a: { client_secret: HIDDEN } }, null, 2))],
  ['JSON in JSON as a text', saying(JSON.stringify({ a: JSON.stringify({ db_token: HIDDEN }) }))],
  ['JSON that was cut', saying(`Error: {"password": "${HIDDEN}`)],
  ['a private key', saying(`-----BEGIN RSA PRIVATE KEY-----\n${HIDDEN}\n-----END RSA PRIVATE KEY`)],
  ['a signed token', saying(`eyJhbGciOiJI.eyJzdWIiOiIx.${HIDDEN}`)],
  ['a server in a tool', { tools: [{ type: 'mcp', headers: { 'X-Api-Key': HIDDEN } }] }],
  ['a server', { mcp_servers: [{ authorization_token: HIDDEN }] }],
  ['metadata', { metadata: { account_id: HIDDEN, of: { email: HIDDEN } } }],
  [
    'a call of Gemini',
    { contents: [{ parts: [{ functionCall: { args: { 'db-password': HIDDEN } } }] }] },
  ],
  [
    'a result of Gemini',
    { contents: [{ parts: [{ functionResponse: { response: { secrets: [HIDDEN] } } }] }] },
  ],
])('a secret in %s is not in a recording', async (_, body) => {
  const { text } = await record([{ body }])
  expect(text).toContain('[cut: ')
  expect(text).not.toContain(HIDDEN)
})

test('words near the names of secrets stay', async () => {
  const said = [
    'const token = readToken(); type A = { password: string }; DEBUG=verbose-mode',
    'https://example.org/a@b http://[::1]:80/ max_tokens: 4096 {"path":"a","tokens":"some"}',
  ].join('\n')
  const { text } = await record([{ body: { ...saying(said), tools: [tool] } }])
  expect(text).not.toContain('[cut: ')
})

test('a key is known in each request, however many cookies came before and with it', async () => {
  const many = (start: number) =>
    Array.from({ length: 150 }, (_, at) => `c=cookie-number-${start + at}`)
  const rotated = many(0).map((cookie) => ({ body: {}, answerFields: { 'set-cookie': cookie } }))
  const fields = { 'x-goog-api-key': HIDDEN, cookie: many(1_000).join('; ') }
  const { text } = await record([
    { body: {}, fields },
    ...rotated,
    { body: saying(HIDDEN), fields },
  ])
  expect(text).not.toContain(HIDDEN)
})

test.each([
  { name: 'x-api-key', value: 'k3y-01', isCut: true },
  { name: 'authorization', value: 'Bearer ab12cd34', isCut: true },
  { name: 'x-api-key', value: 'dummy', isCut: false },
  { name: 'session-id', value: '0a1b2c3d-0000-7000-8000-00000000000a', isCut: false },
  { name: 'X-Claude-Code-Session-Id', value: '0a1b2c3d-0000-4000-8000-00000000000a', isCut: false },
  { name: 'x-session-affinity', value: 'ses_dd3aa4ae7ffeiDFlUGhjtRB4fC', isCut: false },
  { name: 'x-session-id', value: 'a-cookie-of-a-gateway-0123', isCut: true },
  { name: 'x-session-token', value: '0a1b2c3d-0000-4000-8000-00000000000a', isCut: true },
])('of the field $name, $value in a text is cut: $isCut', async ({ name, value, isCut }) => {
  const part = value.replace('Bearer ', '')
  const said = `Saved in /home/ada/${part}/one.txt`
  const { text } = await record([{ body: saying(said), fields: { [name]: value } }])
  expect(text.includes(said)).toBe(!isCut)
  expect(text.includes(`"${value}"`)).toBe(false)
})

test('requests of one session of a client have the same mark, which is not its name', async () => {
  const fields = (id: string) => ({ 'x-session-id': id })
  const { text } = await record([
    { body: saying('One.'), fields: fields('ses_0a1b2c3d4e5f') },
    { body: saying('Two.'), fields: fields('ses_00000000000b') },
    { body: saying('Three.'), fields: fields('ses_0a1b2c3d4e5f') },
  ])
  const [one, two, three] = [...text.matchAll(/"_session":"(\[cut: [^"]*)"/g)].map(
    ([, mark]) => mark,
  )
  expect([one, one === three, one === two]).toEqual([expect.any(String), true, false])
  expect(text).not.toContain('ses_0a1b2c3d4e5f')
})

test('an error has no key of the query and no account of its own fields, and an answer has only counts', async () => {
  const { text } = await record([
    {
      body: {},
      status: 400,
      answer: `No key ${QUERY_KEY} of ${HIDDEN}`,
      answerFields: { 'openai-organization': HIDDEN },
    },
    {
      body: {},
      answer: JSON.stringify({
        usage: {
          input_tokens: 4,
          said: 'words',
          'The words': 1,
          details: { cached_tokens: 2, said: ['words'] },
        },
      }),
    },
  ])
  expect(text).not.toContain(QUERY_KEY)
  expect(text).not.toContain(HIDDEN)
  expect(text).not.toContain('words')
  expect(text).toContain(String.raw`{\"input_tokens\":4,\"details\":{\"cached_tokens\":2}}`)
})

test('a text that looks like a mark has its own tokens', async () => {
  const mark = '[cut: 900000 bytes, 800000 tokens, 0123456789ab]'
  const { text } = await record([
    { body: { ...saying(mark), [mark]: { arguments: JSON.stringify({ mark }) } } },
  ])
  expect(text).not.toContain('800000')
})

test('only a recording has marks: in a file of another program they are texts', async () => {
  const mark = '[cut: 90000 bytes, 80000 tokens, 0123456789ab]'
  const { file, text } = await record([{ body: {} }])
  const [head = '', line = ''] = text.split('\n')
  const asking = (system: string) => {
    const entry = JSON.parse(line) as { request: { postData: object } }
    const postData = { text: JSON.stringify({ system, ...saying(mark) }) }
    return { ...entry, request: { ...entry.request, postData } }
  }
  const entries = [asking('One.'), asking('Two.')]
  const costOf = async (said: string) => {
    await writeFile(file, said)
    const log = await readTranscript(file)
    const [session] = (await log?.list()) ?? []
    const read = (await log?.read(session?.session ?? '')) ?? []
    const begun = read.findLast(({ event }) => event.type === 'step.begun')?.event
    return Object.values(begun && 'cost' in begun ? (begun.cost ?? {}) : {})
      .filter((one) => typeof one === 'number')
      .reduce((sum, one) => sum + one, 0)
  }
  const lines = entries.map((one) => JSON.stringify(one)).join('\n')
  expect(await costOf(`${head}\n${lines}\n`)).toBeGreaterThan(100_000)
  expect(await costOf(JSON.stringify({ log: { entries } }))).toBeLessThan(1_000)
})
