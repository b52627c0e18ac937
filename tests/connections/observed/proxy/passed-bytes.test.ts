import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Message, openProxyTo, openUpstream, type RawSocket } from './raw-socket.ts'

type Field = readonly [name: string, value: string]

/** A message, and the places at which its bytes are cut apart. */
interface Sent {
  readonly fields: readonly Field[]
  readonly body: Buffer
  /** Null for a body with a length. */
  readonly chunks: { readonly sizes: readonly number[]; readonly trailers: readonly Field[] } | null
  readonly cuts: readonly number[]
}

/** Fields that the proxy does not pass on, or that say how a message is read. */
const OTHERS: ReadonlySet<string> = new Set(
  'connection keep-alive proxy-connection te upgrade transfer-encoding host expect origin trailer content-length'.split(
    ' ',
  ),
)

const OFTEN =
  'Set-Cookie set-cookie COOKIE Date x-api-key X-API-Key Content-Encoding Content-Disposition content-disposition __proto__'

const TOKEN = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

const texts = (from: readonly string[], most: number) =>
  fc.array(fc.constantFrom(...from), { maxLength: most }).map((all) => all.join(''))

const LATIN = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)).filter((one) =>
  /[\t\x20-\x7e\x80-\xff]/.test(one),
)

const names = fc.oneof(
  texts([...TOKEN], 20).filter((name) => name !== '' && !OTHERS.has(name.toLowerCase())),
  fc.constantFrom(...OFTEN.split(' ')),
)

// Blanks around a value are not part of it.
const fieldLists = fc.array(
  fc.tuple(
    names,
    texts(LATIN, 30).map((value) => value.replace(/^[ \t]+|[ \t]+$/g, '')),
  ),
  { maxLength: 12 },
)

const messages: fc.Arbitrary<Sent> = fc
  .record({
    fields: fieldLists,
    body: fc.uint8Array({ maxLength: 3_000 }),
    isZipped: fc.boolean(),
    chunks: fc.option(fc.record({ sizes: fc.array(fc.nat({ max: 400 })), trailers: fieldLists })),
    cuts: fc.array(fc.nat({ max: 4_000 }), { maxLength: 8 }),
  })
  .map(({ body, isZipped, ...others }) => ({
    ...others,
    body: isZipped ? gzipSync(body) : Buffer.from(body),
  }))

async function send(
  to: RawSocket,
  start: string,
  host: readonly Field[],
  sent: Sent,
): Promise<void> {
  const { fields, body, chunks, cuts } = sent
  const lines = (all: readonly Field[]) =>
    all.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const framing: Field =
    chunks === null ? ['content-LENGTH', String(body.length)] : ['Transfer-Encoding', 'chunked']
  // The length is in the middle: what is before it and after it stays there.
  const middle = fields.length >> 1
  const all = [...host, ...fields.slice(0, middle), framing, ...fields.slice(middle)]
  const parts: Buffer[] = [Buffer.from(`${start}\r\n${lines(all)}\r\n`, 'latin1')]
  if (chunks === null) parts.push(body)
  else {
    let at = 0
    for (const size of [...chunks.sizes, body.length]) {
      const chunk = body.subarray(at, at + size)
      at += chunk.length
      if (chunk.length === 0) continue
      parts.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'))
    }
    parts.push(Buffer.from(`0\r\n${lines(chunks.trailers)}\r\n`, 'latin1'))
  }
  const bytes = Buffer.concat(parts)
  const places = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length]
  const ordered = places.sort((a, b) => a - b)
  for (const [index, from] of ordered.slice(0, -1).entries()) {
    const part = bytes.subarray(from, ordered[index + 1])
    if (part.length > 0) await new Promise((resolve) => to.socket.write(part, resolve))
  }
}

function expectSame(got: Message, { fields, body, chunks }: Sent): void {
  const middle = fields.length >> 1
  const length: readonly Field[] = chunks === null ? [['content-LENGTH', String(body.length)]] : []
  const isPassed = ([name]: Field) => !/^(?:host|connection|transfer-encoding)$/i.test(name)
  expect(got.fields.filter(isPassed)).toEqual([
    ...fields.slice(0, middle),
    ...length,
    ...fields.slice(middle),
  ])
  expect(got.body.equals(body)).toBe(true)
  expect(got.trailers).toEqual(chunks?.trailers ?? [])
}

test('what the one side sends is what the other side gets', async () => {
  const upstream = await openUpstream('/base')
  const { proxy, connect, seen, ended } = await openProxyTo(upstream.url)
  const client = await connect()
  let server: RawSocket | undefined
  let count = 0
  const heads = fc.record({
    method: fc.constantFrom('POST', 'PUT', 'PATCH', 'GET', 'DELETE'),
    path: texts([...TOKEN, '/', '?', '=', '"', '<', '\\'], 30),
    status: fc.integer({ min: 200, max: 999 }).filter((one) => one !== 204 && one !== 304),
    reason: texts(LATIN, 20).map((text) => text.trimStart()),
  })
  const law = async (
    head: { method: string; path: string; status: number; reason: string },
    request: Sent,
    answer: Sent,
  ) => {
    const { method, path, status, reason } = head
    const host: Field = ['hOST', `localhost:${proxy.port}`]
    await send(client, `${method} /model/${path} HTTP/1.1`, [host], request)
    server ??= await upstream.accept()
    const received = await server.message()
    expect(received.start).toBe(`${method} /base/${path} HTTP/1.1`)
    expect(received.fields[0]).toEqual(['hOST', `127.0.0.1:${upstream.port}`])
    expectSame(received, request)
    await send(server, `HTTP/1.1 ${status} ${reason}`, [], answer)
    const got = await client.message()
    expect(got.start).toBe(`HTTP/1.1 ${status} ${reason}`)
    expectSame(got, answer)
    count += 1
    await ended(count)
    const last = seen.at(-1)
    expect(Buffer.concat(last?.requestBody ?? []).equals(request.body)).toBe(true)
    expect(Buffer.concat(last?.responseBody ?? []).equals(answer.body)).toBe(true)
    expect(last).toMatchObject({
      how: 'complete',
      head: { method },
      answer: { status, statusText: reason },
    })
    expect([client.received.length, server.received.length]).toEqual([0, 0])
  }
  await fc.assert(fc.asyncProperty(heads, messages, messages, law), {
    numRuns: 300,
    endOnFailure: true,
  })
  expect(upstream.count).toBe(1)
})
