import { createCatalog, VirtualWorkspace } from 'loadout'
import { mcpServer, type ToolServer } from 'loadout/mcp'
import {
  FAILED_CALLS,
  FAILED_STATUSES,
  hostile,
  plainServer,
  UNATTACHED,
  UNATTACHED_OVER_HTTP,
} from '../../tests/connections/mcp/client/server-faults.ts'
import type { ConformanceResult } from './conformance-part.ts'

/** The limit of a call, and of connecting, in milliseconds. */
const LIMIT_MS = 2_000

/** Milliseconds over its limit after which a call counts as one without an end. */
const MOST_OVER_MS = 1_000

/** The result of one fault: the reason that the workspace gives, and the time that it took. */
interface Faulted {
  readonly fault: string
  readonly expected: string
  readonly reason: string
  readonly ms: number
}

/** Lets servers fail in every way of the tests, and measures how long each call is pending. */
export async function faultyServers(): Promise<readonly ConformanceResult[]> {
  const all = [...(await onPipes()), ...(await overHttp())]
  const others = all.filter(({ reason, expected }) => reason !== expected)
  const late = all.filter(({ ms }) => ms > LIMIT_MS + MOST_OVER_MS)
  const longest = Math.max(0, ...all.map(({ ms }) => ms - LIMIT_MS))
  return [
    {
      name: 'faults of a server, each with its reason',
      found: `${all.length - others.length} of ${all.length}`,
      passed: others.length === 0 && all.length >= 25,
      output: others.map((one) => JSON.stringify(one)).join('\n'),
    },
    {
      name: 'time over the limit of a call, at most',
      found: `${Math.ceil(longest)} ms`,
      passed: late.length === 0,
      output: late.map((one) => JSON.stringify(one)).join('\n'),
    },
  ]
}

async function onPipes(): Promise<readonly Faulted[]> {
  const faulted: Faulted[] = []
  for (const { fault, stage, more } of UNATTACHED) {
    // A busy machine starts a program slowly: only a silent one has the short limit.
    const limit = more?.connectTimeoutMs === undefined ? {} : { connectTimeoutMs: LIMIT_MS }
    faulted.push(await attachFaulty(hostile(fault, { ...more, ...limit }), fault, stage))
  }
  for (const { fault, type } of FAILED_CALLS) {
    faulted.push(await callFaulty(hostile(fault), 'h_good', fault, type))
  }
  return faulted
}

async function overHttp(): Promise<readonly Faulted[]> {
  const faulted: Faulted[] = []
  const statuses = [...FAILED_STATUSES, { status: null, type: 'TIMEOUT' }]
  for (const { status, type } of statuses) {
    const { server, url } = await plainServer((method, response) => {
      if (method === 'tools/call' && status !== null) response.writeHead(status).end()
      return method === 'tools/call'
    })
    faulted.push(await callFaulty(overUrl(url), 's_good', `HTTP ${status}`, type))
    server.closeAllConnections()
    server.close()
  }
  for (const { what, status, stage } of UNATTACHED_OVER_HTTP) {
    const { server, url } = await plainServer((_, response) => {
      if (status !== null) response.writeHead(status).end()
      return true
    })
    faulted.push(await attachFaulty(overUrl(url), what, stage))
    server.closeAllConnections()
    server.close()
  }
  return faulted
}

function overUrl(url: string): ToolServer {
  return mcpServer({ name: 's', url, revision: '2025-11-25', connectTimeoutMs: LIMIT_MS })
}

async function openEmpty(): Promise<VirtualWorkspace> {
  const catalog = await createCatalog({})
  return VirtualWorkspace.open({ catalog, metaTools: [], limits: { timeoutMs: LIMIT_MS } })
}

async function attachFaulty(server: ToolServer, fault: string, expected: string): Promise<Faulted> {
  const workspace = await openEmpty()
  const began = performance.now()
  const outcome = await workspace.attach(server)
  const ms = performance.now() - began
  await workspace.close()
  return { fault, expected, reason: outcome.ok ? 'ok' : String(outcome.facts['stage']), ms }
}

async function callFaulty(
  server: ToolServer,
  tool: string,
  fault: string,
  expected: string,
): Promise<Faulted> {
  const workspace = await openEmpty()
  await workspace.attach(server)
  const began = performance.now()
  const result = await workspace.callTool(tool, {})
  const ms = performance.now() - began
  await workspace.close()
  return { fault, expected, reason: result.ok ? 'ok' : result.error.type, ms }
}
