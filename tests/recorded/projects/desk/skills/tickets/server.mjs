// A small server of plain JSON-RPC on its standard input and output, so that the example needs no network.
import { createInterface } from 'node:readline'

const answer = (id, result) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)

const text = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] }

const tools = [
  { name: 'list', description: 'List the open tickets.', inputSchema: { type: 'object' } },
  { name: 'open', description: 'Open a ticket.', inputSchema: text },
]

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === 'initialize') {
    const { protocolVersion } = params
    const serverInfo = { name: 'tickets', version: '1.0.0' }
    answer(id, { protocolVersion, serverInfo, capabilities: { tools: {} } })
  } else if (method === 'tools/list') answer(id, { tools })
  else if (method === 'tools/call') {
    const { name, arguments: given } = params
    const said = name === 'open' ? `Opened: ${given.title}` : 'No open tickets.'
    answer(id, { content: [{ type: 'text', text: said }] })
  }
})
