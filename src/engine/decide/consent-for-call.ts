import type { ContentHash } from '../../kernel/content-hash.ts'
import type { Command, Order } from '../model/command.ts'
import type { ApprovalScope } from '../model/consent-state.ts'
import type { WorkspaceEvent } from '../model/event.ts'
import type { PendingConfirmation } from '../model/confirmation-state.ts'
import { isAskedOf } from '../standing/is-asked-of.ts'
import { ownedToolOf } from '../standing/owned-tool-of.ts'
import { isSameTool } from '../model/owned-tool.ts'
import { rememberedApproval } from '../standing/remembered-approval.ts'
import { isMeta } from '../model/meta-owner.ts'
import type { WorkspaceState } from '../model/state.ts'
import type { ToolRow } from '../standing/tool-row.ts'
import { askConsent, consentRefusal } from './ask-consent.ts'
import { accepted, refused, type Decision } from './decision.ts'
import { isExpired } from '../standing/is-expired.ts'

type Start = Extract<Command, { type: 'call.start' }>

/** What a call that is asked about runs by, or why it does not run now. */
export type CallConsent =
  | {
      readonly kind: 'given'
      /** The confirmation it uses up. */
      readonly confirmation: string | null
      readonly approval?: Exclude<ApprovalScope, 'call'>
      /** What has to be on record before it starts. */
      readonly first: readonly WorkspaceEvent[]
    }
  | { readonly kind: 'withheld'; readonly decision: Decision }

/**
 * Find the consent to a call: an answer about this very call, else an approval that was remembered for
 * its tool, else a person is asked. A denial of this very call goes before what was remembered.
 *
 * An approval that holds beyond the session holds for as long as the approval store has it; in a
 * process without one, for as long as the session.
 */
export function consentForCall(
  row: ToolRow,
  digest: ContentHash,
  state: WorkspaceState,
  order: Order,
  { stored: answer, confirmationMs }: Start,
): CallConsent {
  const { name, hash } = row.claim
  const principal = state.opening?.principal ?? null
  const isMeant = (one: PendingConfirmation) =>
    isAskedOf(one, row) &&
    one.tool === name &&
    one.hash === hash &&
    one.digest === digest &&
    one.principal === principal
  const known = state.confirmations.find((one) => isMeant(one) && !isExpired(one, order))
  if (known?.consent === 'approved') return { kind: 'given', confirmation: known.id, first: [] }
  if (known?.consent === 'denied') {
    return { kind: 'withheld', decision: refused(order, name, consentRefusal(known)) }
  }
  const tool = ownedToolOf(row)
  const approval = rememberedApproval(row, state)
  // An answer about another owner's tool, which had the name a moment ago, is none; nor is one about a
  // meta-tool, which is never approved beyond a call.
  const stored = answer && isSameTool(answer, tool) && !isMeta(tool) && answer.has
  const confirmation = known?.id ?? null
  if (approval !== undefined && (approval.scope === 'session' || stored !== false)) {
    return { kind: 'given', confirmation, approval: approval.scope, first: [] }
  }
  if (approval === undefined && stored === true) {
    const recalled = { type: 'approval.recalled', ...tool, hash } as const
    return { kind: 'given', confirmation, approval: 'digest', first: [recalled] }
  }
  const decision = known
    ? refused(order, name, consentRefusal(known))
    : askConsent(state, order, {
        tool: name,
        source: row.owner.source,
        owner: row.owner.owner,
        hash,
        digest,
        principal,
        expiresAt: order.now + confirmationMs,
      })
  if (approval === undefined) return { kind: 'withheld', decision }
  const revoked = accepted(order, { type: 'approval.revoked', ...tool }).drafts
  return {
    kind: 'withheld',
    decision: { ...decision, drafts: [...revoked, ...decision.drafts] },
  }
}
