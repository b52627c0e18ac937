// A server with 50 tools that notes each of its starts in a file, and its calls.
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [, , name, file] = process.argv
appendFileSync(file, `started ${name}\n`)

const answer = (id, result) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)

const tools = Array.from({ length: 50 }, (_, at) => ({
  name: `tool_${at}`,
  description: `Does the thing number ${at} of the server ${name}.`,
  inputSchema: { type: 'object', properties: { subject: { type: 'string' } } },
}))

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === 'initialize') {
    const { protocolVersion } = params
    const serverInfo = { name, version: '1.0.0' }
    const instructions = `Ask ${name} first.`
    answer(id, { protocolVersion, serverInfo, instructions, capabilities: { tools: {} } })
  } else if (method === 'tools/list') answer(id, { tools })
  else if (method === 'tools/call')
    answer(id, { content: [{ type: 'text', text: `${name} did ${params.name}` }] })
  else if (id !== undefined)
    process.stdout.write(
      `${JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Unknown.' } })}\n`,
    )
})
