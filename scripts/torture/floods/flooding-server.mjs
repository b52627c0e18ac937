// A server of plain JSON-RPC on its standard input and output that floods its client in the way that its first argument
// names, from the first call of `flood` on. Its tool `calm` always answers.
import { once } from 'node:events'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [, , kind = 'none', file = ''] = process.argv

const line = (message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`
/** Resolves when the client has read enough, so that this process does not run out of memory. */
const write = async (message, stream = process.stdout) => {
  if (!stream.write(typeof message === 'string' ? message : line(message)))
    await once(stream, 'drain')
}
const turn = (ms = 0) => new Promise((done) => (ms > 0 ? setTimeout(done, ms) : setImmediate(done)))
const text = (value) => ({ content: [{ type: 'text', text: value }] })
const tool = (name, description = `Does ${name}.`) => ({
  name,
  description,
  inputSchema: { type: 'object', properties: {} },
})

const OWN = [tool('calm'), tool('flood')]
let round = 0
let tools = OWN
const others = (count, bytes) =>
  Array.from({ length: count }, (_, at) => tool(`t${at}`, `${round} ${'x'.repeat(bytes)}`))

/** Numbers of answers that were read, for floods that wait for them. */
const seen = { asked: 0, answered: 0 }
const QUESTION = { message: 'Go on?', requestedSchema: { type: 'object', properties: {} } }
const SAMPLE = { messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }], maxTokens: 9 }

const notify = (method, params) => async () => write({ method, params: params() })
const ask = (method, params) => async () => {
  seen.asked += 1
  await write({ id: `q${seen.asked}`, method, params })
}
/** Asks again only after an answer. */
const askInTurn = (method, params) => async () => {
  while (seen.asked > seen.answered) await turn()
  await ask(method, params)()
}
let token
const relist = (make, ms) => async () => {
  round += 1
  tools = [...OWN, ...make()]
  await write({ method: 'notifications/tools/list_changed' })
  await turn(ms)
}

/** What is done again and again. */
const FLOODS = {
  'large lists': relist(() => others(900, 9_000), 130),
  'small lists': relist(() => [tool(`t${round}`)], 10),
  'questions in turn': askInTurn('elicitation/create', QUESTION),
  'questions at once': ask('elicitation/create', QUESTION),
  'long questions': askInTurn('elicitation/create', { ...QUESTION, message: 'x'.repeat(60_000) }),
  'requests to a model': askInTurn('sampling/createMessage', SAMPLE),
  'requests of roots': askInTurn('roots/list'),
  pings: ask('ping'),
  progress: notify('notifications/progress', () => ({
    progressToken: token,
    progress: (round += 1),
  })),
  'log lines': notify('notifications/message', () => ({ level: 'info', data: 'x' })),
  'long log lines': notify('notifications/message', () => ({
    level: 'info',
    data: 'x'.repeat(1e6),
  })),
  'updates of resources': notify('notifications/resources/updated', () => ({ uri: 'a://b' })),
  'answers to nothing': async () => write({ id: 1e9 + (round += 1), result: {} }),
  'error output': async () => write(`${'x'.repeat(65_000)}\n`, process.stderr),
  'output that is no message': async () => write(`${'x'.repeat(65_000)}\n`),
  'lists of resources': async () => turn(1_000),
  'exits with another list': async () => {
    writeFileSync(file, String(Number(readFileSync(file, 'utf8')) + 1))
    process.exit(0)
  },
}

async function flood() {
  while (FLOODS[kind] !== undefined) {
    await FLOODS[kind]()
    if (round % 100 === 0) await turn()
  }
}

let isFlooding = false
process.stdout.on('error', () => process.exit(0))
if (kind === 'exits with another list') {
  appendFileSync(file, '')
  round = Number(readFileSync(file, 'utf8'))
  tools = [...OWN, ...others(round === 0 ? 0 : 900, 5_000)]
}

const RESULTS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    serverInfo: { name: 'flooding', version: '1' },
    capabilities: {
      tools: { listChanged: true },
      resources: {},
      logging: {},
      extensions: { 'io.modelcontextprotocol/skills': {} },
    },
  }),
  'tools/list': ({ cursor = '0' }) => {
    if (kind !== 'endless pages') return { tools }
    const page = Number(cursor)
    round = page
    const more = others(30, 60_000).map((one) => ({ ...one, name: `${one.name}p${page}` }))
    return { tools: page === 0 ? [...OWN, ...more] : more, nextCursor: String(page + 1) }
  },
  'resources/list': ({ cursor = '0' }) => ({
    resources: Array.from({ length: 1_000 }, (_, at) => ({
      uri: `a://${cursor}/${at}`,
      name: 'x'.repeat(5_000),
    })),
    nextCursor: String(Number(cursor) + 1),
  }),
}

createInterface({ input: process.stdin }).on('line', async (given) => {
  const { id, method, params = {} } = JSON.parse(given)
  if (method === undefined) seen.answered += 1
  else if (method === 'tools/call' && params.name === 'flood') {
    token = params._meta?.progressToken
    if (!isFlooding) {
      isFlooding = true
      void flood()
    }
    // A flood of questions needs a call that runs.
    if (!/question|model|progress/u.test(kind)) await write({ id, result: text('begun') })
  } else if (method === 'tools/call') await write({ id, result: text('calm') })
  else if (id !== undefined && RESULTS[method]) await write({ id, result: RESULTS[method](params) })
  else if (id !== undefined) await write({ id, error: { code: -32601, message: 'unknown method' } })
})
