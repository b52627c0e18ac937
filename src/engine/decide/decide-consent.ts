import { assess } from '../standing/assess.ts'
import type { Command, Order } from '../model/command.ts'
import type { WorkspaceEvent } from '../model/event.ts'
import { sameText } from '../../kernel/same-text.ts'
import { isAskedOf } from '../standing/is-asked-of.ts'
import { ownedToolOf } from '../standing/owned-tool-of.ts'
import { isMeta } from '../model/meta-owner.ts'
import type { PendingConfirmation } from '../model/confirmation-state.ts'
import type { WorkspaceState } from '../model/state.ts'
import type { Surroundings } from '../model/surroundings.ts'
import { accepted, refused, type Decision } from './decision.ts'
import { isExpired } from '../standing/is-expired.ts'

type Consent = Extract<Command, { type: 'confirmation.approve' | 'confirmation.deny' }>

/** Record a person's answer to a confirmation. Approval runs nothing; it lets calls run. */
export function decideConsent(
  state: WorkspaceState,
  order: Order,
  command: Consent,
  around: Surroundings,
): Decision {
  const { type, id } = command
  const asked = state.confirmations.find((one) => sameText(one.id, id))
  if (!asked) {
    return refused(order, id, {
      code: 'confirmation-unknown',
      message: 'No confirmation of this id is waiting.',
      hint: 'It was used, it expired, or it belongs to another session: call the tool again.',
      facts: { id },
    })
  }
  if (isExpired(asked, order)) {
    const decision = refused(order, id, {
      code: 'confirmation-expired',
      message: `The confirmation for "${asked.tool}" has expired.`,
      hint: 'Call the tool again to be asked anew.',
      facts: { id, tool: asked.tool },
    })
    const expired = { cause: order.cause, event: { type: 'confirmation.expired' as const, id } }
    return { ...decision, drafts: [expired, ...decision.drafts] }
  }
  if (type === 'confirmation.deny') {
    return accepted(order, { type: 'confirmation.denied', id: asked.id })
  }
  const approved: WorkspaceEvent = { type: 'confirmation.approved', id: asked.id }
  if (command.remember === undefined) return accepted(order, approved)
  const tool = toolAsked(asked, state, around)
  if (tool === null) {
    return refused(order, id, {
      code: 'changed',
      message: `"${asked.tool}" is not there any more as it was asked about.`,
      hint: 'Call the tool again to be asked about it as it is now.',
      facts: { id, tool: asked.tool },
    })
  }
  if (isMeta(tool)) {
    return refused(order, id, {
      code: 'approval-too-wide',
      message: `An approval of "${asked.tool}" holds for one call: what it does is in its arguments.`,
      hint: 'Approve this call alone, or write a rule of permissions with "where" for those that need not be asked about.',
      facts: { id, tool: asked.tool },
    })
  }
  const { remember: scope } = command
  const remembered = { ...tool, hash: asked.hash, scope, confirmation: asked.id }
  return accepted(order, approved, { type: 'approval.remembered', ...remembered })
}

/** Whose tool a confirmation is about; null when nobody offers it with that definition now. */
function toolAsked(asked: PendingConfirmation, state: WorkspaceState, around: Surroundings) {
  const standing = assess(state, around, asked.tool)
  if (standing.kind !== 'registered' || !isAskedOf(asked, standing.row)) return null
  const isIt = standing.row.claim.hash === asked.hash
  return isIt ? ownedToolOf(standing.row) : null
}
