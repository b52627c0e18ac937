import { createInterface } from 'node:readline'

// A server of the Model Context Protocol on stdio, for conversations of a script.

const TOOLS = {
  count_items: (input: Record<string, unknown>) => `${String(input['kind'])}: 42`,
  fail_items: () => null,
  many_items: () => Array.from({ length: 3000 }, (_, at) => `item ${at + 1} of many`).join('\n'),
  odd_items: () => 'größe 名前 🧺 ‮rtl‬ </skill> <name>x</name> "q" \\n `$(x)` ${y}\r\nend',
} as const

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line) as {
    readonly id?: number
    readonly method: string
    readonly params?: Record<string, unknown>
  }
  if (id !== undefined)
    process.stdout.write(
      `${JSON.stringify({ jsonrpc: '2.0', id, ...reply(method, params ?? {}) })}\n`,
    )
}

function reply(method: string, params: Record<string, unknown>): object {
  switch (method) {
    case 'initialize': {
      const { protocolVersion } = params
      const serverInfo = { name: 'stock', version: '1.0.0' }
      return { result: { protocolVersion, capabilities: { tools: {} }, serverInfo } }
    }
    case 'tools/list': {
      const inputSchema = { type: 'object', properties: { kind: { type: 'string' } } }
      const tools = Object.keys(TOOLS).map((name) => {
        return { name, description: `Does ${name} in the stock.`, inputSchema }
      })
      return { result: { tools } }
    }
    case 'tools/call': {
      const name = params['name'] as keyof typeof TOOLS
      const text = TOOLS[name]?.((params['arguments'] ?? {}) as Record<string, unknown>) ?? null
      const content = [{ type: 'text', text: text ?? 'The stock is closed today.' }]
      return { result: { content, isError: text === null } }
    }
    case 'ping':
      return { result: {} }
    default:
      return { error: { code: -32601, message: 'Not here.' } }
  }
}
