import { createCatalog, defineTool, ToolError, VirtualWorkspace } from 'loadout'
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

const catalog = await createCatalog({ tools: [stock, offer, print] })
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
  const report = await workspace.awaitCall(started.data.call)
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
