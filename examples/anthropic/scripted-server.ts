import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** The answers of the model, in order: a call of a tool, or a text. */
const SCRIPT = [
  { name: 'loadSkill', input: { skillName: 'refunds' } },
  { name: 'findOrder', input: { order: '7' } },
  { name: 'refund', input: { order: '7' } },
  'Order 7 was paid back.',
]

/** Opens a server on loopback in the place of Anthropic's, which prints the tools and the new messages of each request. */
export async function openScriptedServer() {
  let at = 0
  let seen = 0
  const server = createServer((incoming, outgoing) => {
    void json(incoming).then((body) => {
      const { tools, messages } = body as { tools: { name: string }[]; messages: Message[] }
      const news = messages.slice(seen).map(titleOf).join(', ')
      console.log(`tools: ${tools.map(({ name }) => name).join(', ')}; new messages: ${news}`)
      seen = messages.length
      outgoing.setHeader('content-type', 'application/json')
      outgoing.end(JSON.stringify(messageOf(at)))
      at += 1
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      }),
  }
}

interface Message {
  readonly role: string
  readonly content: readonly {
    readonly type: string
    readonly tool?: { readonly definition?: { readonly name: string } }
  }[]
}

function titleOf({ role, content }: Message): string {
  const blocks = content.map(({ type, tool }) => `${type} ${tool?.definition?.name ?? ''}`.trim())
  return `${role} (${blocks.join(', ')})`
}

function messageOf(at: number): object {
  const said = SCRIPT[at] ?? 'I have nothing more to say.'
  const isText = typeof said === 'string'
  const block = isText ? { type: 'text', text: said } : { type: 'tool_use', id: `c_${at}`, ...said }
  return {
    id: `msg_${at}`,
    type: 'message',
    role: 'assistant',
    content: [block],
    stop_reason: isText ? 'end_turn' : 'tool_use',
  }
}
