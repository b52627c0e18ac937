import { createCatalog, defineTool, succeed, ToolError, VirtualWorkspace } from 'loadout'
import type { ToolContext } from 'loadout'
import { z } from 'zod'

/** What this program has: a shop whose stock answers at the second try. */
interface Services {
  readonly shop: { stock(item: string): number }
}
let tries = 0
const shop: Services['shop'] = {
  stock(item) {
    tries += 1
    if (tries === 1) throw new ToolError('TRANSIENT', 'The stock is being counted.')
    return item.length
  },
}

const stock = defineTool({
  name: 'stock',
  description: 'How many of an item there are.',
  category: 'retrieval',
  inputSchema: z.object({ item: z.string() }),
  outputSchema: z.number(),
  retries: 3,
  timeoutMs: 10_000,
  execute: ({ item }, { services }: ToolContext<Services>) => services.shop.stock(item),
})

const offer = defineTool({
  name: 'offer',
  description: 'Make an offer for some items.',
  inputSchema: z.object({ items: z.array(z.string()) }),
  outputSchema: z.object({ lines: z.array(z.string()) }),
  async *execute({ items }, { callTool }: ToolContext<Services>) {
    const lines: string[] = []
    for (const item of items) {
      const counted = await callTool(stock, { item })
      if (!counted.ok) return counted
      lines.push(`${item}: ${counted.data}`)
      yield { lines }
    }
    return { lines }
  },
})

const print = defineTool({
  name: 'print',
  description: 'Print a catalogue; it takes a while.',
  category: 'action',
  background: true,
  inputSchema: z.object({ pages: z.number() }),
  execute: ({ pages }) => ({ printed: pages }),
})

const chart = defineTool({
  name: 'chart',
  description: 'Draw a chart of the orders of a year.',
  category: 'retrieval',
  inputSchema: z.object({ year: z.number() }),
  execute: ({ year }) => {
    const png = Buffer.from('iVBORw0KGgo=', 'base64')
    return succeed(
      { year, orders: 12 },
      {
        content: [
          { type: 'text', text: '12 orders.' },
          { type: 'image', mediaType: 'image/png', data: png, name: 'orders.png' },
        ],
      },
    )
  },
})

const ask = defineTool({
  name: 'ask',
  description: 'Ask the user a question.',
  inputSchema: z.object({ question: z.string() }),
  outputSchema: z.object({ answer: z.string() }),
  client: true,
})

const catalog = await createCatalog({ tools: [stock, offer, print, chart, ask] })
const workspace = await VirtualWorkspace.open({
  catalog,
  services: { shop },
  onHandlerError: ({ tool, call, error }) => console.error(tool, call, error),
})

const offered = await workspace.callTool(
  offer,
  { items: ['lamp', 'chair'] },
  { onOutput: ({ output }) => console.log('so far:', JSON.stringify(output)) },
)
if (offered.ok) console.log('offer:', offered.data.lines.join(', '))

const by = { caller: 'model', call: 'p1' } as const
const started = await workspace.callTool(print, { pages: 3 }, by)
if (started.ok) {
  const report = await workspace.calls.waitFor(started.data.call)
  console.log(`print ${report?.status}:`, JSON.stringify(report?.result))
}

const { conversation } = await workspace.beginStep()
for (const { id, text } of conversation) if (id === 'background-results') console.log(text.trim())

for (const { cause, event } of await workspace.entries()) {
  if (event.type === 'call.ended') {
    console.log(
      event.tool,
      'by',
      cause.by,
      event.attempts ? `after ${event.attempts} attempts` : '',
    )
  }
}
await workspace.close()

const files = new Map<string, Uint8Array>()
const keeping = await VirtualWorkspace.open({
  catalog,
  blobs: { put: ({ digest, bytes }) => void files.set(digest, bytes) },
})

const drawn = await keeping.callTool(chart, { year: 2026 })
if (drawn.ok) console.log('chart:', drawn.content?.map(({ type }) => type).join(' and '))
for (const [digest, { length }] of files) console.log(`stored: ${length} bytes, ${digest}`)
await keeping.close()
