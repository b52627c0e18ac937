import { createCatalog } from '../../../src/catalog/create/create-catalog.ts'
import { bindTool } from '../../../src/tools/definition/make-tool.ts'
import type { ToolResponse } from '../../../src/tools/response/tool-response.ts'
import type { ToolDefinition } from '../../../src/tools/definition/tool.ts'
import type { EventLog } from '../../../src/workspace/log/event-log.ts'
import { VirtualWorkspace } from '../../../src/workspace/virtual-workspace.ts'

/** Counts no tokens: they do not matter here, and counting takes time. */
const tokenCounter = { name: 'characters', count: (text: string) => text.length }

/** Pays out, and asks a person each time. */
export const PAY: ToolDefinition = {
  name: 'pay',
  description: 'Pay an order out.',
  version: '1.0.0',
  category: 'action',
  risk: 'destructive',
  phrases: [],
  related: [],
  summary: 'Pay an order out.',
  requiresConfirmation: true,
  idempotent: false,
  inputSchema: {
    type: 'object',
    properties: { order: { type: 'string' }, amount: { type: 'number' } },
    required: ['order', 'amount'],
    additionalProperties: false,
  },
}

/** Opens a session whose tool records its payments. */
export async function openTill(
  log: EventLog,
  onPaid: (order: string) => void,
  definition: ToolDefinition = PAY,
): Promise<VirtualWorkspace> {
  const run = (input: unknown) => {
    onPaid((input as { readonly order: string }).order)
    return 'paid'
  }
  return VirtualWorkspace.open({
    catalog: await createCatalog({}),
    session: 'till',
    log,
    tokenCounter,
    metaTools: [],
    principal: { id: 'ann' },
    tools: [bindTool(definition, run)],
  })
}

export function pay(
  till: VirtualWorkspace,
  order: string,
  amount: number = 1,
): Promise<ToolResponse> {
  return till.callTool('pay', { order, amount })
}

/** Returns the id of the question that a call led to; null when there was none. */
export function askedIn(response: ToolResponse): string | null {
  const id = response.ok ? undefined : response.error.details['confirmation']
  return typeof id === 'string' ? id : null
}

/** Asks about a payment, and approves it. */
export async function approvePayment(till: VirtualWorkspace, order: string): Promise<string> {
  const id = askedIn(await pay(till, order))
  if (id === null) throw new Error(`the payment of ${order} was not asked about`)
  const outcome = await till.approve(id, { by: 'user' })
  if (!outcome.ok) throw new Error(`the payment of ${order} could not be approved: ${outcome.code}`)
  return id
}
