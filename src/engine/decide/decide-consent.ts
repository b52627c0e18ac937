import { consentBefore } from './decide-retry.ts'
import { accepted, type Decision, refused } from './decision.ts'
import type { CommandOf, Order, Refusal } from '../model/command.ts'
import {
  allConfirmations,
  type ApprovalScope,
  type AskedQuestion,
  givenAnswer,
  isSameTool,
  type PendingConfirmation,
  type ToolIdentity,
  NEVER,
} from '../model/consent-event.ts'
import type { EngineContext } from '../model/engine-context.ts'
import type { HostReason } from '../model/policy.ts'
import { isMeta } from '../model/source-event.ts'
import type { EventOf, WorkspaceEvent } from '../model/workspace-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { assess } from '../standing/assess.ts'
import {
  isConfirmationFor,
  isExpired,
  rememberedApproval,
  toolIdentity,
} from '../standing/remembered-approval.ts'
import type { ToolRow } from '../standing/tool-table.ts'
import { fateSentence } from '../../tools/response/call-fate.ts'
import { constantTimeEqual, type ContentHash } from '../../kernel/content-hash.ts'

/** The consent that a call runs with, or the decision that it does not run now. */
export type CallConsent =
  | {
      readonly kind: 'given'
      /** The confirmation it consumes. */
      readonly confirmation: string | null
      readonly approval?: Exclude<ApprovalScope, 'call'>
      /** Events to record before the call starts. */
      readonly first: readonly WorkspaceEvent[]
    }
  | { readonly kind: 'withheld'; readonly decision: Decision }

/**
 * Finds the consent to a call: an answer about exactly this call, else the one with which it ran before it was
 * interrupted, else a remembered approval of its tool. Without one of them, a person is asked. A denial of exactly this
 * call overrides a remembered approval.
 *
 * A remembered approval is one of the tool, so it does not count where a rule about `call_tool` asks.
 *
 * An approval with scope `digest` lasts for as long as the approval store has it; in a process
 * without an approval store, for as long as the session.
 *
 * @param because the call is asked about because of its tool, or for itself
 * @param asks the rule that asks; undefined when the definition does
 */
export function consentForCall(
  row: ToolRow,
  digest: ContentHash,
  state: WorkspaceState,
  order: Order,
  command: CommandOf<'call.start'>,
  because: 'tool' | 'call',
  asks: HostReason | undefined,
): CallConsent {
  const { stored: answer, confirmationMs, kept, input } = command
  const { name, hash } = row.claim
  const principal = state.opening?.principal ?? null
  const all = questionsAbout(row, command.asked ?? digest, state)
  const about = input.ok ? input.condition?.about : undefined
  const asked = all.filter((one) => !isExpired(one, order))
  // An approval of something that has changed since counts no more; a denial does.
  const known = asked.find(
    (one) => one.consent === 'denied' || one.instead || one.condition?.about === about,
  )
  // The arguments were checked before the person replaced them, or when the approval of others was still there.
  if (known?.consent !== 'denied' && known?.instead?.digest !== (command.asked && digest)) {
    const over = all.filter((one) => isExpired(one, order)).map(({ id }) => expired(id))
    return { kind: 'withheld', decision: argumentsReplaced(name, order, over) }
  }
  if (known?.consent === 'approved') return { kind: 'given', confirmation: known.id, first: [] }
  if (known?.consent === 'denied') {
    return { kind: 'withheld', decision: refused(order, name, consentRefusal(known)) }
  }
  const earlier = known ? null : consentBefore(state, command)
  if (earlier !== null) return { kind: 'given', confirmation: earlier, first: [] }
  const tool = toolIdentity(row)
  const approval = because === 'tool' ? rememberedApproval(row, state) : undefined
  // An answer about another owner's tool, which had the name a moment ago, does not count. Nor does
  // one about a meta-tool, which is never approved for more than one call.
  const isForTool = because === 'tool' && !isMeta(tool)
  const stored = answer && isSameTool(answer, tool) && isForTool && answer.has
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
        expiresAt: Math.min(order.now + confirmationMs, NEVER),
        ...(asks && { asks }),
        ...(input.ok && input.condition && { condition: input.condition }),
        ...kept,
      })
  const revoked = approval === undefined ? [] : [{ type: 'approval.revoked' as const, ...tool }]
  const outdated = known ? [] : asked
  const first = [...revoked, ...outdated.map(({ id }) => expired(id))]
  const before = accepted(order, ...first).drafts
  return { kind: 'withheld', decision: { ...decision, drafts: [...before, ...decision.drafts] } }
}

/** Returns the questions, answered or not, about a call of a tool with exactly these arguments. */
export function questionsAbout(
  row: ToolRow,
  digest: ContentHash,
  state: WorkspaceState,
): readonly PendingConfirmation[] {
  const { name, hash } = row.claim
  return allConfirmations(state).filter(
    (one) =>
      isConfirmationFor(one, row) &&
      one.child === undefined &&
      one.tool === name &&
      one.hash === hash &&
      one.digest === digest &&
      one.principal === (state.opening?.principal ?? null),
  )
}

function expired(id: string): EventOf<'confirmation.expired'> {
  return { type: 'confirmation.expired', id }
}

/** The decision that the arguments of a call have to be checked again. */
function argumentsReplaced(tool: string, order: Order, first: readonly WorkspaceEvent[]): Decision {
  const decision = refused(order, tool, {
    code: 'changed',
    message: `The answer about this call of "${tool}" changed after its arguments were checked.`,
    hint: 'Call it again.',
    facts: { tool, replaced: true },
  })
  return { ...decision, drafts: [...accepted(order, ...first).drafts, ...decision.drafts] }
}

/** Confirmations that may be pending at once. With more, the oldest one expires. */
const MOST_CONFIRMATIONS = 100

/** The call a person is asked about. */
type AskedCall = Required<
  Pick<
    PendingConfirmation,
    'tool' | 'source' | 'owner' | 'hash' | 'digest' | 'principal' | 'expiresAt'
  >
> &
  AskedQuestion

/** Asks for consent: records a confirmation, and refuses the call for now. */
function askConsent(state: WorkspaceState, order: Order, call: AskedCall): Decision {
  const asked = { id: order.id, ...call }
  const { drafts } = accepted(order, ...askingEvents(state, order, asked))
  return { kind: 'refused', drafts, refusal: consentRefusal({ ...asked, consent: 'pending' }) }
}

/** Returns the events that ask a person, and that make room for the question. */
export function askingEvents(
  state: WorkspaceState,
  order: Order,
  asked: Omit<EventOf<'confirmation.asked'>, 'type'>,
): readonly WorkspaceEvent[] {
  return [
    ...confirmationsToExpire(state, order).map(({ id }) => expired(id)),
    { type: 'confirmation.asked', ...asked },
  ]
}

/** The confirmations that make room for a new one: expired ones, and the oldest of too many. */
function confirmationsToExpire(
  state: WorkspaceState,
  order: Order,
): readonly PendingConfirmation[] {
  const all = allConfirmations(state)
  const over = all.filter((one) => isExpired(one, order))
  const rest = all.filter((one) => !isExpired(one, order))
  if (rest.length < MOST_CONFIRMATIONS) return over
  const oldest = rest.find(({ consent }) => consent === 'pending') ?? rest[0]
  return oldest === undefined ? over : [...over, oldest]
}

/** The refusal of a call that waits for a person's answer, or was denied. */
function consentRefusal({
  id,
  tool,
  expiresAt,
  consent,
  asks,
  condition,
  words,
}: Omit<PendingConfirmation, 'seq'>): Refusal {
  const why = { ...(asks && { asks }), ...(condition && { condition }) }
  const facts = { tool, confirmation: id, expiresAt, ...why }
  return consent === 'denied'
    ? {
        code: 'confirmation-denied',
        message: fateSentence({ kind: 'denied', tool, ...(words !== undefined && { words }) }),
        hint: 'Do not repeat it in this turn; ask what to do instead.',
        facts,
      }
    : {
        code: 'confirmation-required',
        message: `"${tool}" runs only after a person has approved this call.`,
        hint: 'Wait for the approval, then repeat the call with the same arguments.',
        facts,
      }
}

/** The refusal of an answer to a question that has one, such as that of another process at the same moment. */
function alreadyAnswered({ id, tool, consent, seq }: PendingConfirmation): Refusal {
  return {
    code: 'confirmation-answered',
    message: `The question about "${tool}" was answered before, in entry ${seq}: ${consent}.`,
    hint: 'That answer counts. The entry says who gave it.',
    facts: { id, tool, consent, answeredBy: seq },
  }
}

/**
 * Records a person's answer to a confirmation. An approval runs nothing; it lets calls run. The first answer counts,
 * but a denial takes an approval back as long as the call has not run.
 */
export function decideConsent(
  state: WorkspaceState,
  order: Order,
  command: CommandOf<'confirmation.approve' | 'confirmation.deny'>,
  context: EngineContext,
): Decision {
  const { type, id } = command
  const asked = allConfirmations(state).find((one) => constantTimeEqual(one.id, id))
  if (!asked) {
    return refused(order, id, {
      code: 'confirmation-unknown',
      message: 'No confirmation with this id is pending.',
      hint: 'It was used, it expired, or it belongs to another session: call the tool again.',
      facts: { id },
    })
  }
  if (isExpired(asked, order)) {
    const decision = refused(order, id, {
      code: 'confirmation-expired',
      message: `The confirmation for "${asked.tool}" has expired.`,
      hint: 'Call the tool again to get another confirmation.',
      facts: { id, tool: asked.tool },
    })
    return { ...decision, drafts: [...accepted(order, expired(id)).drafts, ...decision.drafts] }
  }
  const given = type === 'confirmation.deny' ? 'denied' : 'approved'
  // A call that runs has its answer already; one that has not run yet can still be denied.
  if (asked.consent === given || (asked.elicitation !== undefined && asked.consent !== 'pending')) {
    return refused(order, id, alreadyAnswered(asked))
  }
  if (type === 'confirmation.deny') {
    const { words } = command
    return accepted(order, { type: 'confirmation.denied', id: asked.id, ...givenAnswer({ words }) })
  }
  if (asked.consent === 'denied') {
    return refused(order, id, {
      code: 'confirmation-denied',
      message: `This call of "${asked.tool}" was denied in this turn.`,
      hint: 'In the next turn the call is asked about again.',
      facts: { id, tool: asked.tool },
    })
  }
  const { content, instead } = command
  const answer = givenAnswer({ content, instead })
  const approved: WorkspaceEvent = { type: 'confirmation.approved', id: asked.id, ...answer }
  if (command.remember === undefined) return accepted(order, approved)
  if (asked.elicitation !== undefined) {
    return refused(order, id, {
      code: 'approval-too-wide',
      message: `An answer to a question of "${asked.tool}" is for that question only.`,
      hint: 'Answer it without remembering the answer.',
      facts: { id, tool: asked.tool },
    })
  }
  if (asked.child !== undefined) {
    return refused(order, id, {
      code: 'approval-too-wide',
      message: `An approval of a call of the child session "${asked.child}" is for that call only.`,
      hint: 'Approve only this call, or approve the tool in the child session itself.',
      facts: { id, tool: asked.tool, child: asked.child },
    })
  }
  const tool = toolAskedAbout(asked, state, context)
  if (tool === null) {
    return refused(order, id, {
      code: 'changed',
      message: `"${asked.tool}" is no longer registered with the definition that was asked about.`,
      hint: 'Call the tool again to be asked about its current definition.',
      facts: { id, tool: asked.tool },
    })
  }
  if (isMeta(tool)) {
    return refused(order, id, {
      code: 'approval-too-wide',
      message: `An approval of "${asked.tool}" is for one call only: its effect depends on the arguments.`,
      hint: 'Approve only this call, or write a permission rule with "where" for calls that need no approval.',
      facts: { id, tool: asked.tool },
    })
  }
  const { remember: scope } = command
  const remembered = { ...tool, hash: asked.hash, scope, confirmation: asked.id }
  return accepted(order, approved, { type: 'approval.remembered', ...remembered })
}

/** Records what a running call asks the person. */
export function decideElicitation(
  state: WorkspaceState,
  order: Order,
  command: CommandOf<'confirmation.elicit'>,
): Decision {
  const { type: _, confirmationMs, ...asked } = command
  const principal = state.opening?.principal ?? null
  const question = {
    id: order.id,
    ...asked,
    principal,
    expiresAt: Math.min(order.now + confirmationMs, NEVER),
  }
  return accepted(order, ...askingEvents(state, order, question))
}

/** The tool a confirmation is about; null when it is not registered with that definition now. */
function toolAskedAbout(
  asked: PendingConfirmation,
  state: WorkspaceState,
  context: EngineContext,
): ToolIdentity | null {
  const assessment = assess(state, context, asked.tool)
  if (assessment.kind !== 'registered') return null
  const { row } = assessment
  const isIt = isConfirmationFor(asked, row) && row.claim.hash === asked.hash
  return isIt ? toolIdentity(row) : null
}
