import type { Command, Order } from '../command.ts'
import { sameText } from '../../kernel/same-text.ts'
import { accepted, refused, type Decision } from './decision.ts'
import type { WorkspaceState } from '../state.ts'

type Consent = Extract<Command, { type: 'confirmation.approve' | 'confirmation.deny' }>

/** Record a person's answer to a confirmation. Approval runs nothing; it lets one call run. */
export function decideConsent(
  state: WorkspaceState,
  order: Order,
  { type, id }: Consent,
): Decision {
  const asked = state.confirmations.find((one) => sameText(one.id, id))
  if (!asked) {
    return refused(order, id, {
      code: 'confirmation-unknown',
      message: 'No confirmation of this id is waiting.',
      hint: 'It was used, it expired, or it belongs to another session: call the tool again.',
      facts: { id },
    })
  }
  if (order.now >= asked.expiresAt) {
    const decision = refused(order, id, {
      code: 'confirmation-expired',
      message: `The confirmation for "${asked.tool}" has expired.`,
      hint: 'Call the tool again to be asked anew.',
      facts: { id, tool: asked.tool },
    })
    const expired = { cause: order.cause, event: { type: 'confirmation.expired' as const, id } }
    return { ...decision, drafts: [expired, ...decision.drafts] }
  }
  return accepted(order, {
    type: type === 'confirmation.approve' ? 'confirmation.approved' : 'confirmation.denied',
    id: asked.id,
  })
}
