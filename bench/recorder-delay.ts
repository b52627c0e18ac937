import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { samplesOf } from './take-samples.ts'

/**
 * `node bench/recorder-delay.ts`: the time to the first byte of a streamed answer, with and without the proxy of the
 * recorder, in turn. Upstream and proxy each have a process of their own. No public name reaches the proxy, so this
 * reads the module itself.
 */
const REQUESTS = 500

/** Requests before the measured ones, of each way. */
const WARMING = 200

/** Bytes of a request: of an agent in the middle of its work, and of one that begins. */
const BODIES = [400_000, 10_000]

const EVENT = `data: {"type":"content_block_delta","delta":{"text":"${'word '.repeat(8)}"}}\n\n`

const [role, upstreamUrl = ''] = process.argv.slice(2)

if (role === undefined) await measure()
else process.send?.(await (role === 'upstream' ? serveUpstream() : serveProxy(upstreamUrl)))

async function measure(): Promise<void> {
  const start = async (...words: string[]) => {
    const child = fork(import.meta.filename, words)
    const [port] = (await once(child, 'message')) as [number]
    return { child, port }
  }
  const upstream = await start('upstream')
  const proxy = await start('proxy', `http://127.0.0.1:${upstream.port}`)
  for (const size of BODIES) {
    const body = Buffer.alloc(size, 'a')
    const ways = [
      { name: 'without', port: upstream.port, path: '/v1/messages', times: [] as number[] },
      { name: 'with', port: proxy.port, path: '/model/v1/messages', times: [] as number[] },
    ].map((way) => ({ ...way, agent: new Agent({ keepAlive: true }) }))
    for (let at = -WARMING; at < REQUESTS; at += 1) {
      for (const { port, path, agent, times } of ways) {
        const ms = await firstByte(port, path, agent, body)
        if (at >= 0) times.push(ms)
      }
    }
    const samples = ways.map(({ times }) => samplesOf(times))
    const [without, through] = samples
    for (const [at, { name }] of ways.entries()) {
      const { median = 0, p95 = 0 } = samples[at] ?? {}
      console.log(`${size} B, ${name.padEnd(7)} median ${ms(median)}, p95 ${ms(p95)}`)
    }
    if (without === undefined || through === undefined) continue
    const [median, p95] = [through.median - without.median, through.p95 - without.p95]
    console.log(`${size} B, added   median ${ms(median)}, p95 ${ms(p95)}`)
  }
  for (const { child } of [upstream, proxy]) child.kill()
}

function ms(value: number): string {
  return `${value.toFixed(3).padStart(7)} ms`
}

/** Sends a request, and returns the milliseconds to the first byte of the body of its answer, which is read. */
async function firstByte(port: number, path: string, agent: Agent, body: Buffer): Promise<number> {
  const headers = { 'content-type': 'application/json', 'content-length': body.length }
  const started = performance.now()
  const outgoing = request({ host: '127.0.0.1', port, path, agent, method: 'POST', headers })
  outgoing.end(body)
  const [answer] = await once(outgoing, 'response')
  const read = once(answer, 'end')
  await once(answer, 'data')
  const ended = performance.now()
  await read
  // The connection is free for the next request.
  await new Promise(setImmediate)
  return ended - started
}

/** Answers with two events once a request was read. */
async function serveUpstream(): Promise<number> {
  const server = createServer((incoming, response) => {
    incoming.resume().once('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(EVENT)
      setImmediate(() => response.end(EVENT))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

async function serveProxy(upstream: string): Promise<number> {
  const module = '../src/connections/observed/proxy/open-proxy.ts'
  const { openProxy } = (await import(new URL(module, import.meta.url).href)) as {
    openProxy: (options: object) => Promise<{ port: number }>
  }
  const ignore = () => {}
  const exchange = { requestPart: ignore, answered: ignore, responsePart: ignore, ended: ignore }
  const routes = new Map([['model', new URL(upstream)]])
  const { port } = await openProxy({ routes, listener: { begin: () => exchange } })
  return port
}
