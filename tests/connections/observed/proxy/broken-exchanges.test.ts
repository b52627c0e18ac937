import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect as connectSocket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import type { Exchange } from '../../../../src/connections/observed/proxy/exchange-listener.ts'
import { openProxyTo, openUpstream, type RawSocket } from './raw-socket.ts'

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n'

test('an upstream that cannot be reached is 502 with a sentence, and nothing is tried again', async () => {
  const upstream = await openUpstream()
  const closed = connectSocket(upstream.port, '127.0.0.1')
  await once(closed, 'connect')
  const free = new URL(`http://127.0.0.1:${closed.localPort}`)
  const { connect, head, seen, ended } = await openProxyTo(free)
  const client = await connect()
  for (const count of [1, 2]) {
    client.send(head('POST /model/v1', 'content-length: 3'), 'abc')
    const answer = await client.message()
    expect(answer.start).toBe('HTTP/1.1 502 Bad Gateway')
    expect(JSON.parse(answer.body.toString())).toEqual({
      type: 'error',
      error: {
        type: 'proxy_error',
        message: `http://127.0.0.1:${free.port} did not answer: connect ECONNREFUSED 127.0.0.1:${free.port}`,
      },
    })
    await ended(count)
  }
  expect(seen.map(({ how }) => how)).toEqual(['upstream-failed', 'upstream-failed'])
  expect(seen[0]?.answer).toBe(null)
  closed.destroy()
})

test.each([
  ['ends', ''],
  ['resets', null],
  ['answers with something else', 'SSH-2.0-OpenSSH\r\n\r\n'],
  ['switches protocols unasked', 'HTTP/1.1 101 Ok\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nx'],
  ['answers with a control character', 'HTTP/1.1 200 O\x01K\r\nContent-Length: 0\r\n\r\n'],
  ['answers with a status that is none', 'HTTP/1.1 099 OK\r\nContent-Length: 0\r\n\r\n'],
])('an upstream that %s is 502, while the client still sends', async (_, answer) => {
  const upstream = await openUpstream()
  const { connect, head, seen, ended } = await openProxyTo(upstream.url)
  const client = await connect()
  client.send(head('POST /model/v1', 'content-length: 1000000'), 'abc')
  const server = await upstream.accept()
  await server.until('abc')
  if (answer === null) server.socket.resetAndDestroy()
  else {
    server.send(answer)
    if (answer === '') server.socket.end()
  }
  const got = await client.message()
  expect(got.start).toBe('HTTP/1.1 502 Bad Gateway')
  expect(got.body.toString()).toContain('did not answer: ')
  await server.closed
  await ended(1)
  expect(seen[0]).toMatchObject({ how: 'upstream-failed', answer: null })
  // The rest of the body is read, and the connection is used again.
  client.send(Buffer.alloc(999_997), head('GET /model/v2'))
  const next = await upstream.accept()
  await next.message()
  next.send(OK)
  expect((await client.message()).start).toBe('HTTP/1.1 200 OK')
})

test.each([
  ['ends within chunks', CHUNKED, 'end'],
  ['resets within chunks', CHUNKED, 'reset'],
  ['ends before a length', 'HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nfirst', 'end'],
  ['resets without a length', 'HTTP/1.1 200 OK\r\n\r\nfirst', 'reset'],
  ['sends what is no chunk', CHUNKED, 'garbage'],
])('an answer that %s has no clean end', async (_, answer, how) => {
  const upstream = await openUpstream()
  const { connect, head, seen, ended } = await openProxyTo(upstream.url)
  const client = await connect()
  client.send(head('GET /model/v1'))
  const server = await upstream.accept()
  await server.message()
  server.send(answer)
  await client.until('first')
  if (how === 'reset') server.socket.resetAndDestroy()
  else if (how === 'garbage') server.send('garbage')
  else server.socket.end()
  await client.closed
  expect(client.received.toString()).not.toContain('0\r\n\r\n')
  await ended(1)
  expect(seen[0]?.how).toBe('upstream-failed')
  expect(upstream.count).toBe(1)
})

test('what was passed on before the answer broke off still reaches a slow client', async () => {
  const upstream = await openUpstream()
  const { connect, head, seen, ended } = await openProxyTo(upstream.url)
  const client = await connect()
  client.send(head('POST /model/v1', 'content-length: 10'), 'abc')
  const server = await upstream.accept()
  await server.until('abc')
  server.send('HTTP/1.1 200 OK\r\nContent-Length: 50000000\r\n\r\n')
  await client.until('\r\n\r\n')
  client.socket.pause()
  server.send(Buffer.alloc(20_000_000, 'a'))
  /** Resolves when the proxy passes nothing on for many turns of the loop. */
  const stalled = async () => {
    for (let turns = 0, before = 0; turns < 500; turns += 1) {
      await setImmediate()
      const { length = 0 } = seen[0]?.responseBody ?? []
      if (length !== before) turns = 0
      before = length
    }
  }
  await stalled()
  server.socket.resetAndDestroy()
  await server.closed
  // Only one who writes to the upstream sees that it has gone.
  for (const part of 'def') {
    client.send(part)
    await stalled()
  }
  client.socket.resume()
  await Promise.all([ended(1), client.closed])
  expect(seen[0]?.how).toBe('upstream-failed')
  expect(client.received.length).toBe(Buffer.concat(seen[0]?.responseBody ?? []).length)
})

test.each(['before the answer', 'within the answer', 'within the request'])(
  'a client that goes %s takes its upstream request along',
  async (when) => {
    const upstream = await openUpstream()
    const { connect, head, seen, ended } = await openProxyTo(upstream.url)
    for (const way of ['destroy', 'resetAndDestroy', 'end'] as const) {
      const client = await connect()
      const length = when === 'within the request' ? 4 : 3
      client.send(head('POST /model/v1', `content-length: ${length}`), 'abc')
      const server = await upstream.accept()
      await server.until('abc')
      if (when === 'within the answer') {
        server.send(CHUNKED)
        await client.until('first')
      }
      client.socket[way]()
      await server.closed
    }
    await ended(3)
    expect(seen.map(({ how }) => how)).toEqual(Array(3).fill('client-aborted'))
  },
)

test('a client that goes after an early answer takes its upstream request along', async () => {
  const upstream = await openUpstream()
  const { connect, head, seen, ended } = await openProxyTo(upstream.url)
  const client = await connect()
  client.send(head('POST /model/v1', 'content-length: 6'), 'abc')
  const server = await upstream.accept()
  await server.until('abc')
  server.send('HTTP/1.1 413 Too Large\r\ncontent-length: 0\r\n\r\n')
  expect((await client.message()).start).toBe('HTTP/1.1 413 Too Large')
  client.send('d')
  await server.until('d')
  await ended(1)
  expect(seen[0]?.how).toBe('complete')
  client.socket.destroy()
  await server.closed
})

test('a client that has its early answer may send the rest, and another request', async () => {
  const upstream = await openUpstream()
  const { connect, head, ended } = await openProxyTo(upstream.url)
  const client = await connect()
  let server: RawSocket | undefined
  for (const isOpen of [true, false]) {
    client.send(head('POST /model/v1', 'content-length: 6'), 'abc')
    server ??= await upstream.accept()
    await server.until('abc')
    server.send('HTTP/1.1 413 Too Large\r\ncontent-length: 0\r\n\r\n')
    await client.message()
    if (isOpen) {
      client.send('def')
      await server.until('def')
    } else {
      server.socket.end()
      await server.closed
      client.send('def')
    }
  }
  client.send(head('GET /model/v2'))
  expect((await (await upstream.accept()).message()).start).toBe('GET /v2 HTTP/1.1')
  await ended(2)
})

type Step = 'begin' | keyof Exchange

test.each<[string, Step]>(
  (['throws', 'rejects'] as const).flatMap((how) =>
    (['begin', 'requestPart', 'answered', 'responsePart', 'ended'] as const).map(
      (step): [string, Step] => [how, step],
    ),
  ),
)('a listener that %s in %s is not called again, and changes nothing', async (how, wrong) => {
  const steps: Step[] = ['begin', 'requestPart', 'answered', 'responsePart', 'ended']
  const calls: Step[] = []
  const call = (step: Step): void => {
    calls.push(step)
    if (step !== wrong) return
    const error = new Error('The listener is broken.')
    if (how === 'throws') throw error
    return Promise.reject(error) as never
  }
  const upstream = await openUpstream()
  const { connect, head } = await openProxyTo(upstream.url, {
    begin() {
      const exchange: Exchange = {
        requestPart: () => call('requestPart'),
        answered: () => call('answered'),
        responsePart: () => call('responsePart'),
        ended: () => call('ended'),
      }
      return (call('begin') as unknown as Exchange | undefined) ?? exchange
    },
  })
  const client = await connect()
  for (const count of [1, 2]) {
    client.send(head('POST /model/v1', 'content-length: 3'), 'abc')
    const server = await upstream.accept()
    expect((await server.message()).body.toString()).toBe('abc')
    server.send(OK.replace('\r\n', '\r\nConnection: close\r\n'))
    expect((await client.message()).body.toString(), `request ${count}`).toBe('ok')
  }
  // A rejection is seen a moment later.
  const expected = how === 'throws' ? steps.slice(0, steps.indexOf(wrong) + 1) : [wrong]
  expect(calls).toEqual(expect.arrayContaining(expected))
  if (how === 'throws') expect(calls).toEqual([...expected, ...expected])
})

test('a listener whose functions never resolve delays nothing', async () => {
  const upstream = await openUpstream()
  const calls: string[] = []
  const ended = Promise.withResolvers<void>()
  const never = (step: string) => (): void => {
    calls.push(step)
    if (step === 'ended') ended.resolve()
    return new Promise(() => {}) as never
  }
  const { connect, head } = await openProxyTo(upstream.url, {
    begin: () => ({
      requestPart: never('requestPart'),
      answered: never('answered'),
      responsePart: never('responsePart'),
      ended: never('ended'),
    }),
  })
  const client = await connect()
  client.send(head('POST /model/v1', 'content-length: 3'), 'abc')
  const server = await upstream.accept()
  await server.message()
  server.send(OK)
  expect((await client.message()).body.toString()).toBe('ok')
  await ended.promise
  expect(calls).toEqual(['requestPart', 'answered', 'responsePart', 'ended'])
})

test('close ends idle connections at once, and waits for an answer that ends', async () => {
  const upstream = await openUpstream()
  const { proxy, connect, head, seen, ended } = await openProxyTo(upstream.url)
  const [client, idle, fresh] = [await connect(), await connect(), await connect()]
  idle.send(head('GET /model/v1'))
  const reused = await upstream.accept()
  await reused.message()
  reused.send(OK)
  await idle.message()
  await ended(1)
  client.send(head('GET /model/v1'))
  await reused.message()
  reused.send(CHUNKED)
  await client.until('first')
  const closing = Promise.all([proxy.close(), proxy.close()])
  expect(await Promise.all([idle.closed, fresh.closed])).toEqual([null, null])
  const refused = connectSocket(proxy.port, '127.0.0.1')
  expect(await once(refused, 'error')).toMatchObject([{ code: 'ECONNREFUSED' }])
  reused.send('0\r\n\r\n')
  await client.until('0\r\n\r\n')
  expect(await client.closed).toBe(null)
  await closing
  await proxy.close()
  expect(await reused.closed).toBe(null)
  expect(seen.map(({ how }) => how)).toEqual(['complete', 'complete'])
})

test('close cuts off an answer that does not end', async () => {
  const upstream = await openUpstream()
  const { proxy, connect, head, seen } = await openProxyTo(upstream.url)
  const client = await connect()
  client.send(head('GET /model/v1'))
  const server = await upstream.accept()
  await server.message()
  server.send(CHUNKED)
  await client.until('first')
  await proxy.close()
  await Promise.all([client.closed, server.closed])
  expect(seen[0]?.how).toBe('client-aborted')
})

test('a process ends by itself after close', async () => {
  const upstream = await openUpstream()
  const module = new URL(
    '../../../../src/connections/observed/proxy/open-proxy.ts',
    import.meta.url,
  )
  const program = `
    const { openProxy } = await import(${JSON.stringify(pathToFileURL(module.pathname).href)})
    const { request } = await import('node:http')
    const routes = new Map([['model', new URL('${upstream.url.href}')]])
    const proxy = await openProxy({ routes, listener: { begin() { throw new Error() } } })
    const ask = (path, event) => new Promise((resolve) => {
      request({ port: proxy.port, host: '127.0.0.1', path, agent: false }, (answer) => {
        answer.once(event, resolve)
        answer.on('error', () => {}).resume()
      }).on('error', () => {}).end()
    })
    await ask('/model/1', 'close')
    await ask('/model/2', 'data')
    await proxy.close()
    console.log('closed')
  `
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program])
  const server = await upstream.accept()
  await server.message()
  server.send(OK)
  await server.message()
  server.send(CHUNKED)
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  expect([output, errors, code]).toEqual(['closed\n', '', 0])
})
