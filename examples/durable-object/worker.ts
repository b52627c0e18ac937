import { type Catalog, createCatalog, defineSkill, defineTool, VirtualWorkspace } from 'loadout'
import { z } from 'zod'
import { durableObjectLog, type ObjectStorage } from './durable-object-log.ts'

const refund = defineTool({
  name: 'refund',
  description: 'Pay an order back.',
  category: 'action',
  inputSchema: z.object({ order: z.string() }),
  execute: ({ order }) => `Order ${order} is paid back.`,
})
const refunds = defineSkill({
  name: 'refunds',
  description: 'Pay customers back.',
  instructions: 'Ask for the number of the order first.',
  tools: [refund],
})

let catalog: Promise<Catalog> | undefined

/** One conversation. Every request opens its session, which the storage of the object has. */
export class Chat {
  readonly #storage: ObjectStorage

  constructor({ storage }: { readonly storage: ObjectStorage }) {
    this.#storage = storage
  }

  async fetch(request: Request): Promise<Response> {
    const [action, name = ''] = new URL(request.url).pathname.split('/').slice(2)
    catalog ??= createCatalog({ skills: [refunds] })
    const workspace = await VirtualWorkspace.open({
      catalog: await catalog,
      log: durableObjectLog(this.#storage),
      session: 'chat',
    })
    try {
      if (action === 'activate') return Response.json(await workspace.activateSkill(name))
      if (action === 'call') {
        return Response.json(await workspace.callTool(name, await request.json()))
      }
      return Response.json({ seq: workspace.state.seq, why: workspace.explain(name) })
    } finally {
      await workspace.close()
    }
  }
}

interface Environment {
  readonly CHAT: {
    idFromName(name: string): unknown
    get(id: unknown): { fetch(request: Request): Promise<Response> }
  }
}

/** `/<conversation>/activate/<skill>`, `/<conversation>/call/<tool>` with its arguments, `/<conversation>/why/<tool>`. */
export default {
  fetch(request: Request, { CHAT }: Environment): Promise<Response> {
    const [conversation = ''] = new URL(request.url).pathname.split('/').slice(1)
    return CHAT.get(CHAT.idFromName(conversation)).fetch(request)
  },
}
