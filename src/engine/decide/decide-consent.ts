import { accepted, type Decision, refused } from './decision.ts'
import type { Command, Order, Refusal } from '../model/command.ts'
import {
  type ApprovalScope,
  isSameTool,
  type PendingConfirmation,
  type ToolIdentity,
} from '../model/consent-event.ts'
import type { EngineContext } from '../model/engine-context.ts'
import { isMeta } from '../model/source-event.ts'
import type { WorkspaceEvent } from '../model/workspace-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { assess } from '../standing/assess.ts'
import {
  isConfirmationFor,
  isExpired,
  rememberedApproval,
  toolIdentity,
} from '../standing/remembered-approval.ts'
import type { ToolRow } from '../standing/tool-table.ts'
import { constantTimeEqual, type ContentHash } from '../../kernel/content-hash.ts'

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
    isConfirmationFor(one, row) &&
    one.tool === name &&
    one.hash === hash &&
    one.digest === digest &&
    one.principal === principal
  const known = state.confirmations.find((one) => isMeant(one) && !isExpired(one, order))
  if (known?.consent === 'approved') return { kind: 'given', confirmation: known.id, first: [] }
  if (known?.consent === 'denied') {
    return { kind: 'withheld', decision: refused(order, name, consentRefusal(known)) }
  }
  const tool = toolIdentity(row)
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

/** Questions that wait at once. A model that goes on asking pushes out its own oldest one. */
const MOST_CONFIRMATIONS = 100

/** The very call a person is asked about. */
type AskedCall = Required<
  Pick<
    PendingConfirmation,
    'tool' | 'source' | 'owner' | 'hash' | 'digest' | 'principal' | 'expiresAt'
  >
>

/** Ask for consent: a confirmation that is stored, and a refusal that names it. */
function askConsent(state: WorkspaceState, order: Order, call: AskedCall): Decision {
  const asked = { id: order.id, ...call }
  const { drafts } = accepted(
    order,
    ...makingRoom(state, order).map(({ id }) => ({ type: 'confirmation.expired' as const, id })),
    { type: 'confirmation.asked', ...asked },
  )
  return { kind: 'refused', drafts, refusal: consentRefusal({ ...asked, consent: 'pending' }) }
}

/** Why a call that waits for a person, or was denied by one, does not run now. */
function consentRefusal({
  id,
  tool,
  expiresAt,
  consent,
}: Pick<PendingConfirmation, 'id' | 'tool' | 'expiresAt' | 'consent'>): Refusal {
  const facts = { tool, confirmation: id, expiresAt }
  return consent === 'denied'
    ? {
        code: 'confirmation-denied',
        message: `This call of "${tool}" was denied.`,
        hint: 'Do not repeat it in this turn; ask what to do instead.',
        facts,
      }
    : {
        code: 'confirmation-required',
        message: `"${tool}" runs only after a person approved this very call.`,
        hint: 'Wait for the approval, then repeat the call with the same arguments.',
        facts,
      }
}

/** Confirmations that go for a new one: those past their time, and the oldest of too many. */
function makingRoom(
  { confirmations }: WorkspaceState,
  order: Order,
): readonly PendingConfirmation[] {
  const over = confirmations.filter((one) => isExpired(one, order))
  const rest = confirmations.filter((one) => !isExpired(one, order))
  if (rest.length < MOST_CONFIRMATIONS) return over
  const oldest = rest.find(({ consent }) => consent === 'pending') ?? rest[0]
  return oldest === undefined ? over : [...over, oldest]
}

type Consent = Extract<Command, { type: 'confirmation.approve' | 'confirmation.deny' }>

/** Record a person's answer to a confirmation. Approval runs nothing; it lets calls run. */
export function decideConsent(
  state: WorkspaceState,
  order: Order,
  command: Consent,
  context: EngineContext,
): Decision {
  const { type, id } = command
  const asked = state.confirmations.find((one) => constantTimeEqual(one.id, id))
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
  const tool = toolAsked(asked, state, context)
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
function toolAsked(asked: PendingConfirmation, state: WorkspaceState, context: EngineContext) {
  const standing = assess(state, context, asked.tool)
  if (standing.kind !== 'registered' || !isConfirmationFor(asked, standing.row)) return null
  const isIt = standing.row.claim.hash === asked.hash
  return isIt ? toolIdentity(standing.row) : null
}

type Revoke = Extract<Command, { type: 'approval.revoke' }>

/** Take back whatever was remembered of a tool, at each of its definitions. */
export function decideRevocation(
  state: WorkspaceState,
  order: Order,
  { tool: address, stored }: Revoke,
  context: EngineContext,
): Decision {
  const approved = revocableTools(state, context, address).filter(
    (tool) => stored || state.approvals.some((one) => isSameTool(one, tool)),
  )
  if (approved.length === 0) {
    return refused(order, address, {
      code: 'approval-unknown',
      message: `No approval of "${address}" is remembered.`,
      hint: 'A call of it is asked about each time, unless nothing asks.',
      facts: { tool: address },
    })
  }
  return accepted(
    order,
    ...approved.map((tool) => ({ type: 'approval.revoked' as const, ...tool })),
  )
}

/**
 * The tools that an address means to who takes approvals back: the one that is registered, else those
 * that were approved under that name and left.
 */
export function revocableTools(
  state: WorkspaceState,
  context: EngineContext,
  address: string,
): readonly ToolIdentity[] {
  const standing = assess(state, context, address)
  if (standing.kind === 'registered') return [toolIdentity(standing.row)]
  const meant = state.approvals
    .filter(({ owner, tool }) => tool === address || `${owner}/${tool}` === address)
    .map(({ source, owner, tool }) => ({ source, owner, tool }))
  return meant.filter((one, place) => meant.findIndex((other) => isSameTool(one, other)) === place)
}
