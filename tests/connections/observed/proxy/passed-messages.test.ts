import { networkInterfaces } from 'node:os'
import { connect } from 'node:net'
import { once } from 'node:events'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { openProxy } from '../../../../src/connections/observed/proxy/open-proxy.ts'
import { type Message, openProxyTo, openUpstream } from './raw-socket.ts'

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

/** The fields that are passed on: all but those of the connection. */
const passed = ({ fields }: Message) =>
  fields.filter(([name]) => !['connection', 'transfer-encoding'].includes(name.toLowerCase()))

const errorOf = ({ body }: Message) =>
  (JSON.parse(body.toString()) as { error: { message: string } }).error.message

test.each([
  ['', '/model/v1/messages?beta=true&x=%2F', '/v1/messages?beta=true&x=%2F'],
  ['/', '/model/v1', '/v1'],
  ['/base/v1', '/model/chat//a/../b%20c?', '/base/v1/chat//a/../b%20c?'],
  ['/base/', '/model/chat', '/base/chat'],
  ['/base', '/model', '/base'],
  ['', '/model', '/'],
  ['', '/model?query', '/?query'],
  ['', '/model/', '/'],
])('under the base "%s", %s goes to %s', async (base, asked, target) => {
  const upstream = await openUpstream(base)
  const { connect, head, seen, ended } = await openProxyTo(upstream.url)
  const client = await connect()
  client.send(head(`GET ${asked}`))
  const server = await upstream.accept()
  expect((await server.message()).start).toBe(`GET ${target} HTTP/1.1`)
  server.send(OK)
  expect((await client.message()).body.toString()).toBe('ok')
  await ended(1)
  expect(seen[0]?.head).toMatchObject({
    route: 'model',
    method: 'GET',
    url: `http://127.0.0.1:${upstream.port}${target}`,
  })
})

test('a request gets 404 with the names of the routes when it names no route', async () => {
  const upstream = await openUpstream()
  const { connect, head, seen } = await openProxyTo(upstream.url)
  const client = await connect()
  for (const target of [
    '/',
    '/other/v1',
    '/MODEL/v1',
    '/model2',
    `http://127.0.0.1/model/v1`,
    '*',
  ]) {
    client.send(head(`OPTIONS ${target}`))
    const answer = await client.message()
    expect(answer.start).toBe('HTTP/1.1 404 Not Found')
    expect(errorOf(answer)).toContain('Routes: /model/')
  }
  expect([upstream.count, seen.length]).toEqual([0, 0])
})

test('only the loopback address 127.0.0.1 is listened on', async () => {
  const upstream = await openUpstream()
  const { proxy } = await openProxyTo(upstream.url)
  const others = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .map(({ address }) => address)
    .filter((address) => address !== '127.0.0.1' && !address.startsWith('fe80'))
  for (const host of [...others, '127.0.0.2']) {
    const socket = connect({ host, port: proxy.port })
    const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException]
    expect(error.code).toMatch(/ECONNREFUSED|EADDRNOTAVAIL|ENETUNREACH|EHOSTUNREACH/)
  }
})

test.each([
  ['Host: evil.example:PORT'],
  ['Host: 127.0.0.1'],
  ['Host: 127.0.0.1:1'],
  ['Host: localhost.evil.example:PORT'],
  ['Host:'],
  ['Host: localhost:PORT', 'Host: evil.example:PORT'],
  ['Host: localhost:PORT', 'Origin: https://evil.example'],
  ['Host: localhost:PORT', 'Origin: http://127.0.0.1.evil.example'],
  ['Host: localhost:PORT', 'Origin: null'],
  ['Host: localhost:PORT', 'Origin: http://localhost:3000', 'origin: https://evil.example'],
])('a request that a website may have made is refused: %j %j', async (...lines) => {
  const upstream = await openUpstream()
  const { proxy, connect, seen } = await openProxyTo(upstream.url)
  const client = await connect()
  const text = lines.filter(Boolean).join('\r\n').replaceAll('PORT', String(proxy.port))
  client.send(`POST /model/v1 HTTP/1.1\r\n${text}\r\nContent-Length: 3\r\n\r\nabc`)
  const answer = await client.message()
  expect(answer.start).toBe('HTTP/1.1 403 Forbidden')
  expect(errorOf(answer)).toMatch(/Host|website/)
  expect([upstream.count, seen.length]).toEqual([0, 0])
})

test.each([
  ['Host: 127.0.0.1:PORT'],
  ['host: LocalHost:PORT'],
  ['Host: [::1]:PORT', 'Origin: http://localhost:3000'],
  ['Host: localhost:PORT', 'Origin: http://[::1]:8080'],
])('a request of this machine is passed on: %j %j', async (...lines) => {
  const upstream = await openUpstream()
  const { proxy, connect } = await openProxyTo(upstream.url)
  const client = await connect()
  const text = lines.filter(Boolean).join('\r\n').replaceAll('PORT', String(proxy.port))
  client.send(`GET /model/v1 HTTP/1.1\r\n${text}\r\n\r\n`)
  const [[name, value] = []] = (await (await upstream.accept()).message()).fields
  expect([name, value]).toEqual([text.slice(0, 4), `127.0.0.1:${upstream.port}`])
})

test.each([
  ['http://api.example.com', 'neither https: nor on this machine'],
  ['http://127.0.0.1.example.com/', 'neither https: nor on this machine'],
  ['ftp://localhost/', 'neither https: nor on this machine'],
  ['https://user:secret@api.example.com/', 'more than a host and a path'],
  ['https://:secret@api.example.com/', 'more than a host and a path'],
  ['https://api.example.com/?key=secret', 'more than a host and a path'],
])('an upstream at %s is refused', async (url, why) => {
  const routes = new Map([['model', new URL(url)]])
  const opened = openProxy({ routes, listener: { begin: () => expect.fail() } })
  await expect(opened).rejects.toMatchObject({ code: 'OPTIONS_INVALID' })
  await expect(opened).rejects.toThrow(why)
  await expect(opened).rejects.not.toThrow('secret')
})

test('heads are passed on unchanged, but for the host and the fields of the connection', async () => {
  const upstream = await openUpstream()
  const { connect, head, seen, ended } = await openProxyTo(upstream.url)
  const client = await connect()
  const kept = [
    'x-API-Key: secret',
    'Cookie: a=1',
    'X-Empty:',
    'cookie: b=2',
    'X-Latin: caf\xe9',
    'TRAILER: X-Sum',
    'Date: yesterday',
    'Accept-Encoding: gzip, br, zstd',
  ]
  const dropped = [
    'Keep-Alive: timeout=5',
    'proxy-connection: keep-alive',
    'TE: trailers',
    'X-Hop: 1',
  ]
  const lines = ['Connection: close , x-hop, Content-Length, HOST', ...dropped, ...kept]
  client.send(head('POST /model/v1', ...lines, 'transfer-encoding: chunked'))
  client.send('3\r\nabc\r\n0\r\nX-Sum: 1\r\nx-sum: 2\r\n\r\n')
  const server = await upstream.accept()
  const request = await server.message()
  const parsed = kept.map((line) => line.split(/: ?/))
  expect(passed(request)).toEqual([['Host', `127.0.0.1:${upstream.port}`], ...parsed])
  expect(request.trailers).toEqual([
    ['X-Sum', '1'],
    ['x-sum', '2'],
  ])
  const answer = [
    'set-cookie: a',
    'X-Latin: caf\xe9',
    'Set-Cookie: b',
    'X-Empty:',
    'Trailer: X-Sum',
  ]
  server.send(`HTTP/1.1 299 Caf\xe9 au lait\r\n${[...answer, ...dropped].join('\r\n')}\r\n`)
  server.send(
    'Connection: X-Hop\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n-\r\n0\r\nX-Sum: 3\r\n\r\n',
  )
  const got = await client.message()
  expect(got.start).toBe('HTTP/1.1 299 Caf\xe9 au lait')
  expect(passed(got)).toEqual(answer.map((line) => line.split(/: ?/)))
  expect(got.trailers).toEqual([['X-Sum', '3']])
  await client.closed
  await ended(1)
  expect(seen[0]?.head.headers.slice(2, 6)).toEqual(
    lines.slice(0, 2).flatMap((line) => line.split(': ')),
  )
  expect(seen[0]?.answer).toMatchObject({ status: 299, statusText: 'Caf\xe9 au lait' })
})

test('a file name with UTF-8 is passed on after a length, in both directions', async () => {
  const upstream = await openUpstream()
  const { connect, head } = await openProxyTo(upstream.url)
  const client = await connect()
  const bytes = Buffer.from('attachment; filename="résumé … 漢.txt"').toString('latin1')
  const lines = ['content-length: 1', `Content-Disposition: ${bytes}`, 'content-disposition: \xe9']
  client.send(head('POST /model/v1', ...lines), '1')
  const server = await upstream.accept()
  const expected = lines.map((line) => line.split(': '))
  expect((await server.message()).fields.slice(1)).toEqual(expected)
  server.send(`HTTP/1.1 200 OK\r\n${lines.join('\r\n')}\r\n\r\n1`)
  expect(passed(await client.message())).toEqual(expected)
})

test('heads of 200 kB and of 3,000 fields are passed on', async () => {
  const upstream = await openUpstream()
  const { connect, head } = await openProxyTo(upstream.url)
  const client = await connect()
  const lines = [
    `X-Long: ${'a'.repeat(200_000)}`,
    ...Array.from({ length: 3_000 }, (_, at) => `x${at}: 1`),
  ]
  client.send(head('GET /model/v1', ...lines))
  const server = await upstream.accept()
  const expected = lines.map((line) => line.split(': '))
  expect((await server.message()).fields.slice(1)).toEqual(expected)
  server.send(`HTTP/1.1 200 OK\r\n${lines.join('\r\n')}\r\ncontent-length: 0\r\n\r\n`)
  expect(passed(await client.message()).slice(0, -1)).toEqual(expected)
})

test.each(['GET', 'POST', 'DELETE', 'PUT'])(
  'nothing is added to a %s without a body',
  async (method) => {
    const upstream = await openUpstream()
    const { connect, head } = await openProxyTo(upstream.url)
    const client = await connect()
    client.send(head(`${method} /model/v1`))
    const server = await upstream.accept()
    expect(await server.until('\r\n\r\n')).toBe(
      `${method} /v1 HTTP/1.1\r\nHost: 127.0.0.1:${upstream.port}\r\n\r\n`,
    )
    server.send('HTTP/1.1 200 \r\ncontent-length: 0\r\n\r\n')
    expect(await client.until('\r\n\r\n')).toBe(
      'HTTP/1.1 200 \r\ncontent-length: 0\r\nConnection: keep-alive\r\n\r\n',
    )
  },
)

test('a GET with a body in chunks is passed on with its body', async () => {
  const upstream = await openUpstream()
  const { connect, head } = await openProxyTo(upstream.url)
  const client = await connect()
  client.send(head('GET /model/v1', 'Transfer-Encoding: chunked'), '3\r\nabc\r\n0\r\n\r\n')
  const server = await upstream.accept()
  expect((await server.message()).body.toString()).toBe('abc')
})

test.each([
  ['HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 50\r\nX: 1', ['Content-Length', 'X']],
  ['HEAD', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\nX: 1', ['X']],
  ['GET', 'HTTP/1.1 204 No Content\r\nX: 1', ['X']],
  ['GET', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 50\r\nX: 1', ['Content-Length', 'X']],
  ['GET', 'HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\nX: 1', ['X']],
])('an answer without a body has none: %s, %j', async (method, text, names) => {
  const upstream = await openUpstream()
  const { connect, head } = await openProxyTo(upstream.url)
  const client = await connect()
  client.send(head(`${method} /model/v1`))
  const server = await upstream.accept()
  await server.message()
  server.send(`${text}\r\n\r\n`)
  expect(passed(await client.message(false)).map(([name]) => name)).toEqual(names)
  // The next answer follows at once: on the same connection, there was no byte of a body.
  client.send(head('GET /model/next'))
  await server.message()
  server.send(OK)
  expect(await client.message()).toMatchObject({
    start: 'HTTP/1.1 200 OK',
    body: Buffer.from('ok'),
  })
})

test.each([
  ['HTTP/1.1 200 OK\r\nX: 1\r\n\r\n', 'chunked'],
  ['HTTP/1.0 200 OK\r\nX: 1\r\n\r\n', 'chunked'],
  ['HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\nX: 1\r\n\r\n', 'gzip, chunked'],
])('an answer up to the end of the connection becomes one in chunks: %j', async (text, coding) => {
  const upstream = await openUpstream()
  const { connect, head } = await openProxyTo(upstream.url)
  const client = await connect()
  client.send(head('GET /model/v1'))
  const server = await upstream.accept()
  await server.message()
  const body = gzipSync('some text')
  server.send(text, body)
  server.socket.end()
  const answer = await client.message()
  expect(answer.body).toEqual(body)
  expect(new Map(answer.fields).get('Transfer-Encoding')).toBe(coding)
})

test('a first event reaches the client before the second is sent, and its head before both', async () => {
  const upstream = await openUpstream()
  const { connect, head, seen, ended } = await openProxyTo(upstream.url)
  const client = await connect()
  client.send(head('POST /model/v1', 'content-length: 4'))
  const server = await upstream.accept()
  await server.until('\r\n\r\n')
  client.send('ab')
  await server.until('ab')
  client.send('cd')
  await server.until('cd')
  server.send(
    'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n',
  )
  await client.until('\r\n\r\n')
  for (const event of ['data: 1\n\n', 'data: 2\n\n']) {
    server.send(`${event.length.toString(16)}\r\n${event}\r\n`)
    await client.until(event)
  }
  server.send('0\r\n\r\n')
  await client.until('0\r\n\r\n')
  await ended(1)
  expect(seen[0]?.calls.join(' ')).toBe(
    'requestPart requestPart answered responsePart responsePart ended',
  )
  expect(seen[0]?.how).toBe('complete')
})

test('a client that expects 100 gets it from the upstream, as well as other information', async () => {
  const upstream = await openUpstream()
  const { connect, head } = await openProxyTo(upstream.url)
  const client = await connect()
  for (const count of [1, 2]) {
    client.send(head('POST /model/v1', 'Expect: 100-continue', 'content-length: 3'))
    const server = await upstream.accept()
    expect(await server.until('\r\n\r\n')).toContain('\r\nExpect: 100-continue\r\n')
    expect(client.received.length).toBe(0)
    server.send('HTTP/1.1 103 Early H\xefnts\r\nLink: </a>\r\nlink: </b>\r\n\r\n')
    expect(await client.until('\r\n\r\n')).toBe(
      'HTTP/1.1 103 Early H\xefnts\r\nLink: </a>\r\nlink: </b>\r\n\r\n',
    )
    server.send('HTTP/1.1 100 Continue\r\n\r\n')
    expect(await client.until('\r\n\r\n')).toBe('HTTP/1.1 100 Continue\r\n\r\n')
    client.send('abc')
    await server.until('abc')
    server.send(OK.replace('\r\n', '\r\nConnection: close\r\n'))
    expect((await client.message()).start, `request ${count}`).toBe('HTTP/1.1 200 OK')
  }
})

test('bytes of a head are passed on with an expectation, too', async () => {
  const upstream = await openUpstream()
  const { connect, head } = await openProxyTo(upstream.url)
  const client = await connect()
  client.send(head('POST /model/v1', 'X: \xff\xe9', 'expect: 100-continue', 'content-length: 1'))
  const server = await upstream.accept()
  expect(await server.until('content-length')).toContain('\r\nX: \xff\xe9\r\n')
})

test('an expectation that the upstream refuses is refused by the upstream', async () => {
  const upstream = await openUpstream()
  const { connect, head } = await openProxyTo(upstream.url)
  for (const expectation of ['100-continue', 'much']) {
    const client = await connect()
    client.send(head('POST /model/v1', `expect: ${expectation}`, 'content-length: 3'))
    const server = await upstream.accept()
    await server.until('\r\n\r\n')
    server.send('HTTP/1.1 417 No\r\ncontent-length: 0\r\n\r\n')
    expect((await client.message()).start).toBe('HTTP/1.1 417 No')
  }
})

test('an upgrade is passed on as a plain request', async () => {
  const upstream = await openUpstream()
  const { connect, head } = await openProxyTo(upstream.url)
  const client = await connect()
  client.send(head('GET /model/v1', 'Connection: Upgrade', 'Upgrade: websocket', 'X: 1'))
  const server = await upstream.accept()
  expect((await server.message()).fields.map(([name]) => name)).toEqual(['Host', 'X'])
  server.send('HTTP/1.1 426 Upgrade Required\r\ncontent-length: 0\r\n\r\n')
  expect((await client.message()).start).toBe('HTTP/1.1 426 Upgrade Required')
})

test('requests share connections and nothing else', async () => {
  const upstream = await openUpstream()
  const { connect, head } = await openProxyTo(upstream.url)
  const [first, second] = [await connect(), await connect()]
  const server = { raw: first }
  for (let at = 0; at < 100; at += 1) {
    const [client, key] = at % 3 === 0 ? [second, 'Authorization'] : [first, 'Cookie']
    client.send(head('POST /model/v1', `${key}: secret-${at}`, 'content-length: 1'), 'x')
    if (at === 0) server.raw = await upstream.accept()
    const { fields } = await server.raw.message()
    expect(fields.slice(1)).toEqual([
      [key, `secret-${at}`],
      ['content-length', '1'],
    ])
    server.raw.send(OK)
    await client.message()
  }
  expect(upstream.count).toBe(1)
})

test('pipelined requests are passed on and answered in turn', async () => {
  const upstream = await openUpstream()
  const { connect, head, ended } = await openProxyTo(upstream.url)
  const client = await connect()
  client.send(
    head('GET /model/1'),
    head('POST /model/2', 'content-length: 3'),
    'abc',
    head('GET /model/3'),
  )
  const server = await upstream.accept()
  for (const at of [1, 2, 3]) {
    expect((await server.message()).start).toContain(`/${at} `)
    expect(server.received.length).toBe(0)
    server.send(`HTTP/1.1 20${at} OK\r\ncontent-length: 0\r\n\r\n`)
    expect((await client.message()).start).toBe(`HTTP/1.1 20${at} OK`)
  }
  await ended(3)
})

test('a request of HTTP/1.0 is refused', async () => {
  const upstream = await openUpstream()
  const { connect, head } = await openProxyTo(upstream.url)
  const client = await connect()
  client.send(head('GET /model/1').replace('HTTP/1.1', 'HTTP/1.0'))
  expect((await client.message()).start).toContain(' 505 ')
})
