import { randomUUID } from 'node:crypto'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import { createCatalog, defineSkill, defineTool, type EventLog, VirtualWorkspace } from 'loadout'
import type { DurableQuestion } from 'loadout/ai-sdk'

/** What the tools of the agent do outside of it. Each of these may be done once. */
export interface Shop {
  note(text: string): void
  refund(order: number): void
}

/** An agent, as each of the engines runs it. */
export interface Agent {
  readonly model: LanguageModelV4
  /** Opens the session of a conversation. The engine runs one process of it at a time. */
  open(session: string): Promise<VirtualWorkspace>
  /** Shows a question to a person. It may be shown again, with the same id. */
  show(question: DurableQuestion): void
}

/** An agent that pays orders back, with a log that all workers reach. */
export async function createAgent(log: EventLog, shop: Shop, show: Agent['show']): Promise<Agent> {
  const lookup = defineTool({
    name: 'lookup',
    description: 'Looks an order up.',
    inputSchema: fields({ order: 'integer' }),
    execute: ({ order }: { order: number }) => ({ order, state: 'paid' }),
  })
  const note = defineTool({
    name: 'note',
    description: 'Writes a note about the customer.',
    category: 'action',
    inputSchema: fields({ text: 'string' }),
    execute({ text }: { text: string }) {
      shop.note(text)
      return { noted: text }
    },
  })
  const refund = defineTool({
    name: 'refund',
    description: 'Pays an order back.',
    category: 'action',
    requiresConfirmation: true,
    inputSchema: fields({ order: 'integer' }),
    execute({ order }: { order: number }) {
      shop.refund(order)
      return { refunded: order }
    },
  })
  const refunds = defineSkill({
    name: 'refunds',
    description: 'Pays orders back.',
    instructions: 'Look the order up first, and write a note before and after.',
    tools: [lookup, note, refund],
  })
  const catalog = await createCatalog({ skills: [refunds] })
  return {
    model: scriptedModel(),
    open: (session) => VirtualWorkspace.open({ catalog, log, session, onlyProcess: true }),
    show,
  }
}

const fields = (types: Readonly<Record<string, string>>) => ({
  type: 'object' as const,
  properties: Object.fromEntries(Object.entries(types).map(([name, type]) => [name, { type }])),
  required: Object.keys(types),
})

/** What the model says. In your agent, a model of a provider does. */
const SCRIPT: readonly (string | readonly [tool: string, input: object])[] = [
  ['loadSkill', { skillName: 'refunds' }],
  ['lookup', { order: 7 }],
  ['note', { text: 'Order 7 is to be paid back.' }],
  ['refund', { order: 7 }],
  ['note', { text: 'Order 7 was paid back.' }],
  'Order 7 was paid back.',
]

const NONE = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined }

/** Counts its answers in the request. As with every provider, the calls of a request that is made again have other ids. */
function scriptedModel(): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'scripted',
    modelId: 'scripted',
    supportedUrls: {},
    async doGenerate({ prompt }) {
      const at = prompt.filter(({ role }) => role === 'assistant').length
      const said = SCRIPT[at] ?? 'I have nothing more to say.'
      const isText = typeof said === 'string'
      const call = isText
        ? { type: 'text' as const, text: said }
        : {
            type: 'tool-call' as const,
            toolCallId: `call-${randomUUID()}`,
            toolName: said[0],
            input: JSON.stringify(said[1]),
          }
      return {
        content: [call],
        finishReason: { unified: isText ? 'stop' : 'tool-calls', raw: undefined },
        usage: {
          inputTokens: NONE,
          outputTokens: { total: undefined, text: undefined, reasoning: undefined },
        },
        warnings: [],
      }
    },
    doStream: () => Promise.reject(new Error('This model does not stream.')),
  }
}
