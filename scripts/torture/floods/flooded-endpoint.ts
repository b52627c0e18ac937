import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { createCatalog } from '../../../src/catalog/create/create-catalog.ts'
import { openSqliteLog } from '../../../src/connections/logs/sqlite/open-sqlite-log.ts'
import { type McpEndpoint, serveMcp } from '../../../src/connections/mcp/server/serve-mcp.ts'
import { defineTool } from '../../../src/tools/define-tool.ts'
import type { EventLog } from '../../../src/workspace/log/event-log.ts'
import { createMemoryLog } from '../../../src/workspace/log/memory-log.ts'
import { thrownMessage } from '../../../src/kernel/thrown-message.ts'
import { duringFlood, type FloodLength, type FloodResult, inFolder } from './flooded-session.ts'

type Revision = '2025-11-25' | '2026-07-28'

interface Answer {
  readonly status: number
  readonly id: string | null
  readonly result?: {
    readonly content?: readonly { readonly text?: string }[]
    readonly requestState?: string
    readonly isError?: boolean
  }
  readonly error?: { readonly message: string; readonly data?: { readonly code?: string } }
}

/** The id of the last request. */
let ids = 0

/** Sends one message as a principal does, without a client between. */
async function send(
  endpoint: Pick<McpEndpoint, 'fetch'>,
  who: string,
  message: { readonly method: string; readonly params?: Readonly<Record<string, unknown>> },
  { revision = '2025-11-25', session }: { revision?: Revision; session?: string | null } = {},
): Promise<Answer> {
  const { method, params = {} } = message
  const isModern = revision === '2026-07-28'
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
  }
  const response = await endpoint.fetch(
    new Request('http://localhost/mcp', {
      method: 'POST',
      headers: {
        host: 'localhost',
        'x-who': who,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(method !== 'initialize' && { 'mcp-protocol-version': revision }),
        ...(isModern && { 'mcp-method': method }),
        ...(isModern && typeof params['name'] === 'string' && { 'mcp-name': params['name'] }),
        ...(session && { 'mcp-session-id': session }),
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: (ids += 1),
        method,
        params: isModern ? { ...params, _meta } : params,
      }),
    }),
  )
  const text = await response.text()
  const data = text.startsWith('{') ? text : (/^data: (\{.*)$/m.exec(text)?.[1] ?? '{}')
  return {
    ...(JSON.parse(data) as Answer),
    status: response.status,
    id: response.headers.get('mcp-session-id'),
  }
}

const INITIALIZE = {
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: {} },
    clientInfo: { name: 'test', version: '1' },
  },
}

const call = (name: string, more: object = {}) => ({
  method: 'tools/call',
  params: { name, arguments: {}, ...more },
})

/** Sends what floods, once; `session` is a connection of the one who floods. */
type Flood = (endpoint: McpEndpoint, session: string, round: number) => Promise<Answer>

const MODERN = { revision: '2026-07-28' } as const

/** Floods of a client. */
const FLOODS: Readonly<Record<string, Flood>> = {
  connections: (endpoint) => send(endpoint, 'bob', INITIALIZE),
  calls: (endpoint, session) => send(endpoint, 'bob', call('calm'), { session }),
  'calls of nothing': (endpoint, session) => send(endpoint, 'bob', call('none'), { session }),
  sessions: (endpoint) => send(endpoint, 'bob', call('calm'), MODERN),
  'questions to the person': (endpoint) => send(endpoint, 'bob', call('ask'), MODERN),
  subscriptions: (endpoint, session, round) =>
    send(
      endpoint,
      'bob',
      { method: 'resources/subscribe', params: { uri: `a://${'x'.repeat(50_000)}${round}` } },
      { session },
    ),
  lists: (endpoint, session) => send(endpoint, 'bob', { method: 'tools/list' }, { session }),
}

export const FLOODS_OF_CLIENTS = Object.keys(FLOODS)

/** Requests of a flood that are sent at once. */
const AT_ONCE = 4

const schema = { type: 'object', properties: {} }

/** Lets one client flood an endpoint while another one works: with a running call, a question and calls that are made meanwhile. */
export function floodByClient(kind: string, length: FloodLength): Promise<FloodResult> {
  return inFolder(async (folder) => {
    const byCounts = length.calls < Infinity
    // A log on a disk would take most of the time of a flood that is measured by counts.
    const log = byCounts ? createMemoryLog() : await openSqliteLog(join(folder, 'log.sqlite'))
    const held = Promise.withResolvers<string>()
    const common = { category: 'retrieval', inputSchema: schema } as const
    const tools = [
      defineTool({ ...common, name: 'calm', description: 'Does it.', execute: () => 'calm' }),
      defineTool({
        ...common,
        name: 'held',
        description: 'Waits.',
        timeoutMs: Infinity,
        execute: () => held.promise,
      }),
      defineTool({
        ...common,
        name: 'ask',
        description: 'Asks.',
        async execute(_, context) {
          const { action } = await context.elicit({ message: 'Go on?', schema })
          return action
        },
      }),
    ]
    const noted: string[] = []
    const endpoint = await serveMcp({
      workspace: { catalog: await createCatalog({ tools }), log },
      authenticate: ({ headers }) => ({ id: headers.get('x-who') ?? '' }),
      onError: ({ message }) => noted.push(message),
    })
    const failures: string[] = []
    try {
      const ada = { session: (await send(endpoint, 'ada', INITIALIZE)).id }
      const bob = await send(endpoint, 'bob', INITIALIZE)
      const running = send(endpoint, 'ada', call('held'), ada)
      const asked = await send(endpoint, 'ada', call('ask'), MODERN)
      const before = await bytesIn(log)
      const flood = floodUntil(FLOODS[kind] as Flood, endpoint, bob.id ?? '')
      const flooded = await duringFlood(length, async () => {
        const answer = await send(endpoint, 'ada', call('calm'), ada)
        return answer.result?.content?.[0]?.text === '"calm"' ||
          answer.result?.content?.[0]?.text === 'calm'
          ? null
          : `a call of another client: ${JSON.stringify(answer)}`
      })
      const sent = await flood.end(byCounts)
      const { requestState } = asked.result ?? {}
      const inputResponses = { 'question-1': { action: 'decline' } }
      const answered = await send(
        endpoint,
        'ada',
        call('ask', { requestState, inputResponses }),
        MODERN,
      )
      if (!JSON.stringify(answered).includes('decline'))
        failures.push(`the question of another client: ${JSON.stringify(answered)}`)
      held.resolve('held')
      const ran = await running
      if (!JSON.stringify(ran).includes('held'))
        failures.push(`the running call of another client: ${JSON.stringify(ran)}`)
      if (byCounts && sent.refused === 0 && kind !== 'lists')
        failures.push(`none of ${sent.made} was refused`)
      if (noted.length > 3) failures.push(`${noted.length} reports: ${noted.slice(0, 3).join(' ')}`)
      const grown = (await bytesIn(log)) - before
      return { ...flooded, grown, failures: [...flooded.failures, ...failures] }
    } catch (error) {
      return {
        grown: 0,
        longestStop: 0,
        longestWork: 0,
        calls: 0,
        failures: [thrownMessage(error)],
      }
    } finally {
      held.resolve('held')
      await endpoint.close()
      if ('close' in log) await log.close()
    }
  })
}

/** Returns the bytes of all entries of a log, as JSON. */
async function bytesIn(log: EventLog): Promise<number> {
  let bytes = 0
  for (const { session } of await log.list())
    bytes += JSON.stringify(await log.read(session)).length
  return bytes
}

/** Requests after which a flood that nobody refuses ends, where it is measured by counts. */
const MOST_REQUESTS = 6_000

/** Floods until it is ended, or, where that is measured by counts, until something was refused. */
function floodUntil(flood: Flood, endpoint: McpEndpoint, session: string) {
  const state = { isOver: false, isCounted: false, made: 0, refused: 0 }
  const isUnrefused = () => state.refused === 0 && state.made < MOST_REQUESTS
  const run = async () => {
    while (!state.isOver || (state.isCounted && isUnrefused())) {
      const answers = await Promise.all(
        Array.from({ length: AT_ONCE }, () => flood(endpoint, session, (state.made += 1))),
      )
      await setImmediate()
      state.refused += answers.filter(({ error }) => error?.data?.code === 'client-floods').length
    }
  }
  const running = run()
  return {
    async end(byCounts: boolean) {
      state.isCounted = byCounts
      state.isOver = true
      await running
      return state
    },
  }
}
