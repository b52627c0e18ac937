import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openProxyTo, openUpstream, type RawSocket } from './raw-socket.ts'

const PIECE = randomBytes(1024 * 1024)

const PIECES = 50

/** The listener keeps nothing, so that only the proxy could. */
const FORGETFUL = {
  begin: () => ({ requestPart() {}, answered() {}, responsePart() {}, ended() {} }),
}

/** Sends all pieces, and waits for the socket to take each. */
class Sending {
  sent = 0
  readonly done: Promise<void>

  constructor(socket: Socket) {
    this.done = this.#send(socket)
  }

  async #send(socket: Socket): Promise<void> {
    for (; this.sent < PIECES; this.sent += 1) if (!socket.write(PIECE)) await once(socket, 'drain')
  }

  /** Resolves when nothing was taken for many turns of the loop. */
  async stalled(): Promise<void> {
    for (let turns = 0, before = this.sent; turns < 500; turns += 1) {
      await setImmediate()
      if (this.sent !== before) turns = 0
      before = this.sent
    }
  }
}

/** Reads all pieces from a socket that was paused, and compares them. */
async function readPieces(socket: Socket): Promise<void> {
  const [expected, got] = [createHash('sha256'), createHash('sha256')]
  for (let at = 0; at < PIECES; at += 1) expected.update(PIECE)
  let left = PIECES * PIECE.length
  const { promise, resolve } = Promise.withResolvers<void>()
  socket.removeAllListeners('data')
  socket.on('data', (bytes: Buffer) => {
    got.update(bytes)
    left -= bytes.length
    if (left <= 0) resolve()
  })
  socket.resume()
  await promise
  expect(left).toBe(0)
  expect(got.digest('hex')).toBe(expected.digest('hex'))
}

/** Waits for the end of a head, and reads nothing that follows. */
async function headOnly(raw: RawSocket): Promise<void> {
  await raw.until('\r\n\r\n')
  raw.socket.pause()
}

test('50 MB in each direction wait where nobody reads them, and arrive', async () => {
  const upstream = await openUpstream()
  const { connect, head } = await openProxyTo(upstream.url, FORGETFUL)
  const client = await connect()
  const length = `Content-Length: ${PIECES * PIECE.length}`
  client.send(head('POST /model/v1', length))
  const server = await upstream.accept()
  await headOnly(server)
  const upload = new Sending(client.socket)
  await upload.stalled()
  // The rest are buffers of the system, on both sides of the proxy.
  expect(upload.sent).toBeLessThan(PIECES - 10)
  await Promise.all([readPieces(server.socket), upload.done])
  server.send(`HTTP/1.1 200 OK\r\n${length}\r\n\r\n`)
  await headOnly(client)
  const download = new Sending(server.socket)
  await download.stalled()
  expect(download.sent).toBeLessThan(PIECES - 10)
  await Promise.all([readPieces(client.socket), download.done])
})

test('fifty streams at a time each get their own events', async () => {
  const upstream = await openUpstream()
  const { connect, head, ended, seen } = await openProxyTo(upstream.url)
  const clients = await Promise.all(Array.from({ length: 50 }, () => connect()))
  for (const [at, client] of clients.entries())
    client.send(head('POST /model/v1', 'content-length: 4'), String(1_000 + at))
  const streams = await Promise.all(
    clients.map(async () => {
      const server = await upstream.accept()
      return { server, id: (await server.message()).body.toString() }
    }),
  )
  // All are open before the first event.
  for (const { server } of streams)
    server.send('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
  for (let event = 10; event < 30; event += 1) {
    for (const { server, id } of streams) server.send(`7\r\n${id} ${event}\r\n`)
    for (const [at, client] of clients.entries()) await client.until(`${1_000 + at} ${event}\r\n`)
  }
  for (const { server } of streams) server.send('0\r\n\r\n')
  await Promise.all(clients.map((client) => client.until('0\r\n\r\n')))
  await ended(50)
  expect(upstream.count).toBe(50)
  for (const { requestBody, responseBody, how } of seen) {
    const id = Buffer.concat(requestBody).toString()
    const events = Array.from({ length: 20 }, (_, at) => `${id} ${10 + at}`)
    expect([Buffer.concat(responseBody).toString(), how]).toEqual([events.join(''), 'complete'])
  }
})
