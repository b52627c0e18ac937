import type { FieldChange } from '../../catalog/diff-fields.ts'
import { type CallConsent, consentForCall } from './decide-consent.ts'
import { queueFullEvents } from './decide-intent.ts'
import { accepted, type Decision, refused } from './decision.ts'
import { nextExtraction } from '../evolve/evolve-memory.ts'
import { describeRule } from '../explain/describe-event.ts'
import { explainTool } from '../explain/explain-tool.ts'
import type { Command, DroppedIntent, Order, Refusal } from '../model/command.ts'
import type { EngineContext } from '../model/engine-context.ts'
import type { Policy } from '../model/policy.ts'
import type { Draft, WorkspaceEvent } from '../model/workspace-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { assess } from '../standing/assess.ts'
import { type Permission, permissionOf } from '../standing/permission.ts'
import { asksFirst } from '../standing/tool-status.ts'
import { unseenWhere } from '../standing/where-matches.ts'
import type { ToolDefinition } from '../../tools/definition/tool.ts'

type Start = Extract<Command, { type: 'call.start' }>

/**
 * A call by a tool's handler passes the same gate as anyone's, unless it is within too many others
 * or comes after its time. One that is to go on in the background says so in the same append.
 */
export function decideCall(
  state: WorkspaceState,
  order: Order,
  command: Start,
  context: EngineContext,
): Decision {
  const { within, background } = command
  const against = within === undefined ? null : refusalWithin(command.tool, within)
  if (against !== null) return refused(order, command.tool, against)
  const decision = decideCallStart(state, order, command, context)
  if (decision.kind !== 'accepted') return decision
  return {
    ...decision,
    drafts: decision.drafts.flatMap((draft): readonly Draft[] => {
      const { cause, event } = draft
      if (event.type !== 'call.started') return [draft]
      const { call, tool, caller } = event
      const started = { cause, event: { ...event, ...(within && { within: within.call }) } }
      return background === true
        ? [started, { cause, event: { type: 'call.detached', call, tool, caller } }]
        : [started]
    }),
  }
}

function refusalWithin(tool: string, within: NonNullable<Start['within']>): Refusal | null {
  const { call, depth, mostDepth, isOver } = within
  if (isOver) {
    return {
      code: 'call-over',
      message: `"${tool}" was called by a handler whose own call (${call}) has its answer already.`,
      hint: 'Await calls of other tools before the handler returns, and heed context.signal.',
      facts: { tool, within: call },
    }
  }
  if (depth <= mostDepth) return null
  return {
    code: 'too-deep',
    message: `"${tool}" was called within ${depth} other calls, and ${mostDepth} is the most.`,
    hint: 'Look for tools that call each other in a circle, or raise limits.depth.',
    facts: { tool, depth, mostDepth, within: call },
  }
}

/**
 * The gate of every call: standing, then arguments, then consent.
 *
 * It is decided on the state the log will have just before `call.started`, so budgets,
 * single use and consent hold across processes.
 */
function decideCallStart(
  state: WorkspaceState,
  order: Order,
  command: Start,
  context: EngineContext,
): Decision {
  const standing = assess(state, context, command.tool)
  if (standing.kind !== 'registered' || standing.status !== 'available') {
    return refused(order, command.tool, unavailable(state, context, command.tool))
  }
  const { row } = standing
  const name = row.claim.name
  const wasFound = row.claim.hash === command.hash && row.owner.since === command.since
  if (row.tool === undefined || !wasFound) {
    return refused(order, name, {
      code: 'changed',
      message: `The tool "${name}" changed between the check of its arguments and the call.`,
      hint: 'Call it again.',
      facts: { tool: name, replaced: true },
    })
  }
  if (!command.input.ok) {
    const issues = command.input.issues
    const told = issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
    return refused(order, name, {
      code: 'input-invalid',
      message: `The arguments of "${name}" are not valid: ${told.join('; ')}.`,
      hint: 'Correct the arguments and call it again.',
      facts: { tool: name, issues },
    })
  }
  const { digest } = command.input
  const where = command.input.where ?? unseenWhere(state.policy)
  const judgement = permissionOf(row, state, context, where)
  if (judgement.effect === 'deny') return refused(order, name, deniedCall(name, judgement))
  const consent = asksFirst(judgement.effect, row.tool)
    ? consentForCall(row, digest, state, order, command)
    : UNASKED
  if (consent.kind === 'withheld') return consent.decision
  const { confirmation, approval, first } = consent
  const targetMs = latencyTarget(state.policy, row.tool)
  return accepted(order, ...first, {
    type: 'call.started',
    call: command.call,
    tool: name,
    source: row.owner.source,
    owner: row.owner.owner,
    hash: row.claim.hash,
    digest,
    category: row.tool.category,
    caller: command.caller,
    confirmation,
    ...(approval !== undefined && { approval }),
    ...(command.limitMs !== undefined && { limitMs: command.limitMs }),
    ...(targetMs !== null && { targetMs }),
  })
}

const UNASKED: CallConsent = { kind: 'given', confirmation: null, first: [] }

/** A refusal in the words, and with the code, of `explain`. */
function unavailable(state: WorkspaceState, context: EngineContext, tool: string): Refusal {
  const { status, owner, because, fix, nearest, changes } = explainTool(state, context, tool)
  const why = changes === undefined ? (because.at(-1)?.text ?? '') : fieldsChanged(changes)
  return {
    code: status,
    message: status === 'unknown' ? why : `The tool "${tool}" is not available (${status}): ${why}`,
    hint: fix,
    facts: { tool, status, owner, nearest },
  }
}

/** Not what the fields say: whoever changed the definition must not speak to the model by that. */
function fieldsChanged(changes: readonly FieldChange[]): string {
  const fields = changes.map(({ field }) => field).join(', ')
  return `Its definition is not the one that was agreed to (${fields}), so it is in quarantine.`
}

/** Why a call of an available tool does not run: the policy denies it for its arguments. */
function deniedCall(tool: string, judgement: Exclude<Permission, { effect: null }>): Refusal {
  const rule = judgement.by === 'host' ? describeRule(judgement.rule) : `"${judgement.skill}"`
  return {
    code: 'denied',
    message: `This call of "${tool}" is denied by the policy: ${rule}.`,
    hint: 'Other arguments may be allowed; ask the host to change its permissions otherwise.',
    facts: { tool, status: 'denied', ...judgement },
  }
}

/** Milliseconds a call of a tool should stay under: its own target, else that of the mode; null without one. */
export function latencyTarget(
  { limits }: Pick<Policy, 'limits'>,
  { latencyMs, category }: Pick<ToolDefinition, 'latencyMs' | 'category'>,
): number | null {
  return latencyMs ?? limits.latencyMs[category] ?? null
}

type CallEnd = Extract<Command, { type: 'call.end' }>

/**
 * Note how a call ended, once for every run of bad results that its extraction drifted, and each intent
 * that the session does not take.
 */
export function decideCallEnd(state: WorkspaceState, order: Order, command: CallEnd): Decision {
  const { type: _, extracted, dropped = [], ...end } = command
  const ended: WorkspaceEvent = {
    type: 'call.ended',
    ...end,
    ...(end.intents.length > 0 && { intentsWait: true as const }),
    ...(extracted && { extraction: extracted.result }),
    ...(extracted && extracted.entities.length > 0 && { entities: extracted.entities }),
  }
  const drifts = extracted !== undefined && driftsNow(state, end, extracted)
  return accepted(
    order,
    ...queueFullEvents(state, end.intents.length),
    ended,
    ...(drifts ? [drifted(end, extracted)] : []),
    ...dropped.map((one) => intentDropped(end.tool, one)),
  )
}

function intentDropped(subject: string, { code, message, hint }: DroppedIntent): WorkspaceEvent {
  return { type: 'warning.given', code, subject, message, hint }
}

type Extracted = NonNullable<CallEnd['extracted']>

function driftsNow(
  { extractions, seq }: WorkspaceState,
  { tool }: Pick<CallEnd, 'tool'>,
  { result, entities }: Extracted,
): boolean {
  const known = extractions.find((one) => one.tool === tool)
  const { drifting } = nextExtraction(known, { tool, last: result, found: entities.length, seq })
  return drifting && !known?.drifting
}

function drifted(
  { tool, call }: Pick<CallEnd, 'tool' | 'call'>,
  { result, message = '' }: Extracted,
): WorkspaceEvent {
  const what = result === 'nothing-extracted' ? result : 'unlike-schema'
  return { type: 'extraction.drifted', tool, call, what, message }
}

type Abandon = Extract<Command, { type: 'call.abandon' }>

/**
 * Give up a call that has run for longer than it may, so that what waits for it goes on. It stays
 * counted. Comes to nothing when the call has ended meanwhile, or still has time.
 */
export function decideAbandonment(
  { calls }: WorkspaceState,
  order: Order,
  { call: id, afterMs }: Abandon,
): Decision {
  const call = calls.find((one) => one.call === id)
  return call === undefined || order.now < call.startedAt + afterMs
    ? { kind: 'accepted', drafts: [] }
    : accepted(order, { type: 'call.abandoned', call: id, tool: call.tool })
}
