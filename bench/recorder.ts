import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openTap, type WireExchange, type WireMessage } from './http-tap.ts'
import { askBy, openClients, PLANTED, plantSecrets } from './recorder-clients.ts'
import { createUpstream, type Way, WAYS } from './recorder-upstream.ts'

/**
 * `node bench/recorder.ts`: official SDKs talk to a server of this machine through the built `loadout watch` in another
 * process. What was on the wire is compared on both sides of it, planted secrets are looked for on the disk, and the
 * recorder is killed. Ends with an error when a figure is not met.
 */
const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '2000' },
    kills: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    /** The folder in which the clients are installed, with the SDK of Gemini. */
    installed: { type: 'string', default: join(tmpdir(), 'loadout-installed-clients') },
  },
})

const PARALLEL = 50

const BIN = join(import.meta.dirname, '../bin/loadout.js')

/** Header fields that are of one connection only. */
const OF_CONNECTION = new Set(['connection', 'keep-alive', 'proxy-connection', 'te', 'upgrade'])

const folder = mkdtempSync(join(tmpdir(), 'loadout-recorder-'))
const random = createRandom(Number(values.seed))
const planted = plantSecrets(random)
const upstream = createUpstream(planted)
upstream.listen(0, '127.0.0.1')
await once(upstream, 'listening')
const { port } = upstream.address() as AddressInfo
try {
  const met = [await compareWires(Number(values.requests)), await kill(Number(values.kills))]
  if (met.includes(false)) process.exitCode = 1
} finally {
  upstream.closeAllConnections()
  upstream.close()
  rmSync(folder, { recursive: true, force: true })
}

/** Starts the recorder, whose upstream is a port. */
async function startRecorder(file: string, to: number) {
  const at = `http://127.0.0.1:${to}`
  const child = spawn(process.execPath, [BIN, 'watch', '--json', '--to', file], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      TMPDIR: folder,
      SERVICE_TOKEN: planted.environment,
      ANTHROPIC_BASE_URL: `${at}/a`,
      OPENAI_BASE_URL: `${at}/o/v1`,
      GOOGLE_GEMINI_BASE_URL: `${at}/g`,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  for await (const line of createInterface({ input: child.stdout })) {
    said += line
    if (line === '}') break
  }
  const { ANTHROPIC_BASE_URL: address } = JSON.parse(said).addresses
  return { child, port: Number(new URL(address).port) }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

/** Sends requests through the recorder, and compares both sides of it. */
async function compareWires(requests: number): Promise<boolean> {
  const file = join(folder, 'recording.jsonl')
  const behind = await openTap(port)
  const recorder = await startRecorder(file, behind.port)
  const before = await openTap(recorder.port)
  const clients = await openClients(before.port, planted, values.installed)
  const names = Object.keys(clients)
  const queue = Array.from({ length: requests }, (_, at) => ({
    id: `${at}:${WAYS[Math.floor(random() * WAYS.length)] as Way}`,
    client: names[at % names.length] ?? '',
    size: Math.floor(random() ** 4 * 400_000),
    planted: planted.inText(random),
  })).values()
  const work = async () => {
    for (const asked of queue) await clients[asked.client]?.(asked)
  }
  await Promise.all(Array.from({ length: PARALLEL }, work))
  await end(recorder.child, 'SIGTERM')
  const [outer, inner] = [before.exchanges(), behind.exchanges()].map(byRequest)
  before.close()
  behind.close()
  const differences = compareAll(outer ?? new Map(), inner ?? new Map())
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n').length - 1
  const passed = [...(inner ?? new Map()).values()].flat().length
  const secrets = secretsOnDisk()
  for (const one of differences.slice(0, 20)) console.log(one)
  console.log(`${names.length} clients: ${names.join(', ')}`)
  console.log(`${requests} requests with retries: ${passed} exchanges, ${lines} recorded`)
  console.log(`${passed - differences.length} of ${passed} with equal bodies and fields`)
  console.log(`${planted.count()} secrets planted, ${secrets} on the disk`)
  return differences.length === 0 && lines === passed && secrets === 0 && opens(file)
}

type ByRequest = ReadonlyMap<string, readonly WireExchange[]>

/** Groups exchanges by their request, in the order of its attempts. */
function byRequest(exchanges: readonly WireExchange[]): ByRequest {
  const retries = ({ request }: WireExchange) =>
    Number(fieldIn(request, 'x-stainless-retry-count') ?? 0)
  const all = Map.groupBy(exchanges, ({ request }) => fieldIn(request, 'x-bench') ?? '')
  return new Map(
    [...all].map(([id, ones]) => [id, ones.toSorted((a, b) => retries(a) - retries(b))]),
  )
}

function fieldIn({ fields }: WireMessage, wanted: string): string | undefined {
  return fields.find(([name]) => name.toLowerCase() === wanted)?.[1]
}

function compareAll(outer: ByRequest, inner: ByRequest): readonly string[] {
  const ids = new Set([...outer.keys(), ...inner.keys()])
  return [...ids].flatMap((id) => {
    const [sent = [], got = []] = [outer.get(id), inner.get(id)]
    return Array.from({ length: Math.max(sent.length, got.length) }, (_, at) => {
      const [one, other] = [sent[at], got[at]]
      if (one === undefined || other === undefined) return [`${id}: on one side alone`]
      const why = difference(one, other)
      return why === null ? [] : [`${id}, attempt ${at + 1}: ${why}`]
    }).flat()
  })
}

/** Returns the first difference of an exchange before the recorder and behind it; null without one. */
function difference(outer: WireExchange, inner: WireExchange): string | null {
  const [method, path = ''] = outer.request.start.split(' ')
  const there = path
    .replace(/^\/anthropic/, '/a')
    .replace(/^\/openai/, '/o/v1')
    .replace(/^\/gemini/, '/g')
  if (`${method} ${there} HTTP/1.1` !== inner.request.start) return 'another address'
  const ofRequest = differenceOf(outer.request, inner.request, false)
  if (ofRequest !== null) return `request: ${ofRequest}`
  if (inner.response === null) return outer.response === null ? null : 'an answer of its own'
  if (outer.response === null) return outer.isLeft ? null : 'no answer'
  if (outer.response.start !== inner.response.start) return 'another status'
  const ofResponse = differenceOf(inner.response, outer.response, outer.isLeft)
  return ofResponse === null ? null : `answer: ${ofResponse}`
}

/** @param isPart true where the other message may be the beginning alone */
function differenceOf(one: WireMessage, other: WireMessage, isPart: boolean): string | null {
  const [here, there] = [passed(one), passed(other)]
  if (here !== there) return `fields ${here} and ${there}`
  const body = isPart ? one.body.subarray(0, other.body.length) : one.body
  if (hash(body) !== hash(other.body)) return `${body.length} and ${other.body.length} bytes`
  if (isPart) return null
  if (one.isComplete !== other.isComplete) return 'one of them broke off'
  return JSON.stringify(one.trailers) === JSON.stringify(other.trailers) ? null : 'trailers'
}

function passed({ fields }: WireMessage): string {
  return JSON.stringify(
    fields.filter(([name]) => ![...OF_CONNECTION, 'host'].includes(name.toLowerCase())),
  )
}

function hash(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Counts the planted secrets in all files below the folder of the run. */
function secretsOnDisk(): number {
  let found = 0
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = join(folder, name)
    if (statSync(file).isFile())
      found += readFileSync(file, 'latin1').match(new RegExp(PLANTED, 'g'))?.length ?? 0
  }
  return found
}

/** Returns true when a recording opens as a log. */
function opens(file: string): boolean {
  if (!existsSync(file) || statSync(file).size === 0) return true
  const argv = [BIN, 'sessions', 'list', '--json', '--log', file]
  const env = { PATH: process.env['PATH'], HOME: folder }
  const options = { cwd: folder, env, encoding: 'utf8', maxBuffer: 1e9 } as const
  const run = spawnSync(process.execPath, argv, options)
  if (run.status !== 0) console.log(`${file} does not open: ${run.stderr}`)
  return run.status === 0
}

/** Kills the recorder in the middle of its work, again and again. */
async function kill(kills: number): Promise<boolean> {
  let [broken, secrets, bytes] = [0, 0, 0]
  for (let at = 0; at < kills; at += 1) {
    const file = join(folder, `killed-${at}.jsonl`)
    const { child, port: address } = await startRecorder(file, port)
    const ask = async () => {
      for (let n = 0; child.exitCode === null && child.signalCode === null; n += 1) {
        const size = Math.floor(random() * 200_000)
        const asked = { id: `${at}-${n}:json`, size, planted: planted.inText(random) }
        await askBy(address, planted, asked).catch(() => {})
      }
    }
    const asking = Array.from({ length: 8 }, ask)
    await setTimeout(random() * 250)
    await end(child, 'SIGKILL')
    await Promise.all(asking)
    bytes += existsSync(file) ? statSync(file).size : 0
    if (!opens(file)) broken += 1
    secrets += secretsOnDisk()
    rmSync(file, { force: true })
  }
  console.log(
    `${kills} kills: ${broken} broken recordings, ${secrets} secrets, in ${Math.round(bytes / 1024)} kB`,
  )
  return broken + secrets === 0
}

/** Returns numbers from 0 to 1 that depend on a seed alone. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296
  }
}
