// A server in plain JSON-RPC whose tools change during calls: over its standard input and output, or over HTTP (it writes
// its address). A change is announced before the result of the call that made it, and a list takes some turns of the loop.
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'

const tools = new Map()
const add = (name, description = `Does ${name}.`) =>
  tools.set(name, { name, description, inputSchema: { type: 'object' } })
for (const name of ['load', 'drop', 'reword', 'break']) {
  tools.set(name, {
    name,
    description: name,
    inputSchema: { type: 'object', properties: { name: {}, turns: {} } },
  })
}
let turns = 0
let isBroken = false

async function results(method, params) {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: '2025-11-25',
        serverInfo: { name: 'changing', version: '1' },
        capabilities: { tools: { listChanged: true } },
      }
    case 'tools/list':
      for (let turn = 0; turn < turns; turn += 1) await new Promise((done) => setImmediate(done))
      if (isBroken) throw new Error('no list today')
      return { tools: [...tools.values()] }
    case 'tools/call':
      return change(params.name, params.arguments ?? {})
    default:
      return {}
  }
}

function change(called, { name, turns: next = 0 }) {
  turns = next
  if (called === 'load') add(name)
  else if (called === 'drop') tools.delete(name)
  else if (called === 'reword') add(name, `Does ${name} in another way.`)
  else if (called === 'break') isBroken = true
  else return { content: [{ type: 'text', text: `${called} ran` }] }
  announce()
  return { content: [{ type: 'text', text: 'changed' }] }
}

let announce = () => undefined
const CHANGED = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }

async function answer({ id, method, params = {} }) {
  if (id === undefined) return null
  try {
    return { jsonrpc: '2.0', id, result: await results(method, params) }
  } catch ({ message }) {
    return { jsonrpc: '2.0', id, error: { code: -32603, message } }
  }
}

if (process.argv[2] === 'http') {
  const streams = new Set()
  announce = () => {
    for (const stream of streams)
      stream.write(`event: message\ndata: ${JSON.stringify(CHANGED)}\n\n`)
  }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      streams.add(response)
      process.stdout.write('listening\n')
      return
    }
    const answered = request.method === 'POST' ? await answer(JSON.parse(body)) : null
    response.writeHead(answered === null ? 202 : 200, { 'content-type': 'application/json' })
    response.end(answered === null ? undefined : JSON.stringify(answered))
  })
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`http://127.0.0.1:${server.address().port}/mcp\n`)
  })
} else {
  const write = (message) => process.stdout.write(`${JSON.stringify(message)}\n`)
  announce = () => write(CHANGED)
  createInterface({ input: process.stdin }).on('line', async (line) => {
    const answered = await answer(JSON.parse(line))
    if (answered !== null) write(answered)
  })
}
