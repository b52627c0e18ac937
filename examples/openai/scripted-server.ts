import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** The answers of the model, in order: a call of a tool, or a text. */
const SCRIPT = [
  { name: 'loadSkill', arguments: '{"skillName":"refunds"}' },
  { name: 'findOrder', arguments: '{"order":"7"}' },
  { name: 'refund', arguments: '{"order":"7"}' },
  'Order 7 was paid back.',
]

/** Opens a server on loopback in the place of OpenAI's, which prints the tools and the new items of each request. */
export async function openScriptedServer() {
  let at = 0
  let seen = 0
  const server = createServer((incoming, outgoing) => {
    void json(incoming).then((body) => {
      const { tools, input } = body as { tools: { name: string }[]; input: Item[] }
      const news = input.slice(seen).map(titleOf).join(', ')
      console.log(`tools: ${tools.map(({ name }) => name).join(', ')}; new items: ${news}`)
      seen = input.length
      outgoing.setHeader('content-type', 'application/json')
      outgoing.end(JSON.stringify(responseOf(at)))
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

interface Item {
  readonly type?: string
  readonly role?: string
  readonly tools?: readonly { readonly name: string }[]
}

function titleOf({ type, role, tools }: Item): string {
  const names = tools === undefined ? '' : ` (${tools.map(({ name }) => name).join(', ')})`
  return `${type ?? role}${names}`
}

function responseOf(at: number): object {
  const said = SCRIPT[at] ?? 'I have nothing more to say.'
  const head = { id: `resp_${at}`, object: 'response', status: 'completed' }
  if (typeof said !== 'string') {
    const call = { id: `fc_${at}`, type: 'function_call', call_id: `call_${at}`, ...said }
    return { ...head, output: [{ ...call, status: 'completed' }] }
  }
  const content = [{ type: 'output_text', text: said, annotations: [] }]
  const message = { id: `msg_${at}`, type: 'message', role: 'assistant', status: 'completed' }
  return { ...head, output: [{ ...message, content }] }
}
