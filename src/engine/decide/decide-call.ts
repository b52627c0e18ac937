import type { FieldChange } from '../../catalog/diff-fields.ts'
import { childEndEvents, spentAbove } from './decide-child.ts'
import { type CallConsent, consentForCall } from './decide-consent.ts'
import { queueFullEvents } from './decide-intent.ts'
import { decideRetry, interruptedCall, repeatedIdEvents, repeatRefusal } from './decide-retry.ts'
import { newFact } from './decide-condition.ts'
import { accepted, type Decision, questionIn, refused, UNCHANGED } from './decision.ts'
import { uncountCall } from '../evolve/evolve-calls.ts'
import { nextExtraction } from '../evolve/evolve-memory.ts'
import { describeReason } from '../explain/describe-rule.ts'
import { explainTool } from '../explain/explain-tool.ts'
import type { CommandOf, Order, Refusal } from '../model/command.ts'
import type { EngineContext } from '../model/engine-context.ts'
import type { DroppedIntent } from '../model/intent-event.ts'
import type { HostReason, Policy, RuleAnswer, WhereMatches } from '../model/policy.ts'
import type { EventOf, WorkspaceEvent } from '../model/workspace-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { assess, stateFor } from '../standing/assess.ts'
import { type Permission, permissionOf } from '../standing/permission.ts'
import { asksFirst } from '../standing/tool-status.ts'
import { unseenWhere } from '../standing/where-matches.ts'
import type { ToolDefinition } from '../../tools/definition/tool.ts'

type CallStart = CommandOf<'call.start'>

/**
 * Decides whether a call may start: its nesting, then the tool's status, the arguments, the policy
 * and consent. Calls by a tool's handler pass the same checks as all others.
 *
 * The state is the one the log will have just before `call.started`, so budgets, single use and
 * consent apply across processes.
 */
export function decideCall(
  state: WorkspaceState,
  order: Order,
  command: CallStart,
  context: EngineContext,
): Decision {
  const decision = decideStart(state, order, command, context)
  return command.asksOnly === true && questionIn(decision) === null ? UNCHANGED : decision
}

function decideStart(
  given: WorkspaceState,
  order: Order,
  command: CallStart,
  context: EngineContext,
): Decision {
  const { call, caller, input, within, background, client, limitMs } = command
  if (command.stopped !== undefined) {
    return refused(order, command.tool, {
      code: 'answer-stopped',
      message: command.stopped,
      hint: 'Make the call again if it is still needed.',
      facts: { tool: command.tool },
    })
  }
  const hasId = command.given !== undefined || command.resumes !== undefined
  const before = hasId ? interruptedCall(given, command) : null
  const counted = before ? uncountCall(given, before) : given
  const state = stateFor(caller, counted)
  const nesting = within === undefined ? null : nestingRefusal(command.tool, within)
  if (nesting !== null) return refused(order, command.tool, nesting)
  const retried = hasId ? decideRetry(state, order, command, context) : null
  if (retried !== null) return retried
  const assessment = assess(state, context, command.tool)
  if (assessment.kind !== 'registered' || assessment.status !== 'available') {
    return refused(order, command.tool, unavailable(state, context, command.tool))
  }
  const { row } = assessment
  const { name, hash } = row.claim
  const isTheOneChecked = hash === command.hash && row.owner.since === command.since
  if (row.tool === undefined || !isTheOneChecked) {
    return refused(order, name, {
      code: 'changed',
      message: `The tool "${name}" changed after the arguments of this call were checked.`,
      hint: 'Call it again.',
      facts: { tool: name, replaced: true },
    })
  }
  if (!input.ok) return refused(order, name, inputInvalid(name, input.issues))
  const { digest, where = unseenWhere(state.policy), condition } = input
  const permission = permissionOf(row, state, context, where)
  if (permission.effect === 'deny') return refused(order, name, deniedCall(name, permission))
  const bridge = judgeBridge(state, command, context)
  if (bridge.refusal) return refused(order, name, bridge.refusal)
  const repeated = repeatRefusal(state, row, digest, command, context)
  if (repeated !== null) return refused(order, name, repeated)
  if (command.above !== undefined) return refused(order, name, spentAbove(name, command.above))
  if (command.isSpent === true) return refused(order, name, spentByPrincipal(name, state))
  const asks = bridge.asks ?? (permission.effect === 'ask' ? hostReason(permission) : undefined)
  const judged = condition ? { ...row.tool, requiresConfirmation: condition.asks } : row.tool
  const consent: CallConsent =
    bridge.asks ||
    command.asked ||
    asksFirst(permission, judged, (within?.origin ?? caller) === 'model')
      ? consentForCall(row, digest, state, order, command, bridge.asks ? 'call' : 'tool', asks)
      : { kind: 'given', confirmation: null, first: [] }
  if (consent.kind === 'withheld') return consent.decision
  const { confirmation, approval, first } = consent
  const targetMs = latencyTarget(state.policy, row.tool)
  const answers = [...answersIn(where), ...answersIn(command.bridge?.where)]
  const started: EventOf<'call.started'> = {
    type: 'call.started',
    call,
    ...(command.given !== undefined && command.given !== call && { given: command.given }),
    tool: name,
    source: row.owner.source,
    owner: row.owner.owner,
    hash,
    digest,
    ...(command.asked && { asked: command.asked }),
    ...(command.repaired && { repaired: command.repaired }),
    category: row.tool.category,
    caller,
    confirmation,
    ...(approval !== undefined && { approval }),
    ...(answers.length > 0 && { answers }),
    ...(condition && { condition }),
    ...(limitMs !== undefined && { limitMs }),
    ...(targetMs !== null && { targetMs }),
    ...(within && { within: within.call }),
    ...(before && { again: before.since }),
    ...(command.history !== undefined && { history: command.history }),
  }
  const events = [...(hasId ? repeatedIdEvents(state, command) : []), ...first, started]
  if (background !== true && client !== true) return accepted(order, ...events)
  const detached = { type: 'call.detached' as const, call, tool: name, caller }
  return accepted(order, ...events, client ? { ...detached, client } : detached)
}

/**
 * Judges the `call_tool` through which a call was made: its rules hold as well as those of the tool that is
 * called, and the stricter ones decide.
 */
function judgeBridge(
  state: WorkspaceState,
  { bridge }: CallStart,
  context: EngineContext,
): { readonly refusal?: Refusal; readonly asks?: HostReason } {
  if (bridge === undefined) return {}
  const assessment = assess(state, context, bridge.tool)
  if (assessment.kind !== 'registered' || assessment.status !== 'available') {
    return { refusal: unavailable(state, context, bridge.tool) }
  }
  const { row } = assessment
  const permission = permissionOf(row, state, context, bridge.where)
  if (permission.effect === 'deny') return { refusal: deniedCall(row.claim.name, permission) }
  return permission.effect === 'ask' ? { asks: hostReason(permission) } : {}
}

/** Returns the answers of the functions in the policies of a session and of those above it. */
function answersIn(where: WhereMatches | undefined): readonly RuleAnswer[] {
  const all = where === undefined ? [] : [where, ...(where.above ?? [])]
  return all.flatMap(({ answers = [] }) => answers)
}

function hostReason({ rule, because }: HostReason): HostReason {
  return because === undefined ? { rule } : { rule, because }
}

/** The reason against a call by a tool's handler: it comes too late, or is nested too deeply. */
function nestingRefusal(tool: string, within: NonNullable<CallStart['within']>): Refusal | null {
  const { call, depth, mostDepth, isOver } = within
  if (isOver) {
    return {
      code: 'call-over',
      message: `"${tool}" was called by the handler of call ${call}, which has already been answered.`,
      hint: 'Await calls of other tools before the handler returns, and observe context.signal.',
      facts: { tool, within: call },
    }
  }
  if (depth <= mostDepth) return null
  return {
    code: 'too-deep',
    message: `"${tool}" was called within ${depth} other calls; the limit is ${mostDepth}.`,
    hint: 'Look for tools that call each other in a circle, or raise limits.depth.',
    facts: { tool, depth, mostDepth, within: call },
  }
}

/** The refusal of a tool that is not available, with the text and the code of `explain`. */
function unavailable(state: WorkspaceState, context: EngineContext, tool: string): Refusal {
  const explained = explainTool(state, context, tool)
  const { status, owner, because, nearest, changes, forModel } = explained
  const last = because.findLast(({ forHost }) => forHost !== true)
  // The fix is that of the host, too.
  const isHidden = because.some(({ forHost }) => forHost === true)
  const why = changes === undefined ? (last?.text ?? '') : fieldsChanged(changes)
  const fix = isHidden ? 'Continue without it. For the host, explain says why.' : explained.fix
  return {
    code: status,
    message:
      status === 'unknown' && owner === null
        ? why
        : `The tool "${tool}" is not available (${status}): ${why}`,
    hint: fix,
    ...(forModel !== undefined && !isHidden && { forModel }),
    facts: { tool, status, owner, nearest },
  }
}

/** Names the fields only: a definition that changed must not reach the model through a refusal. */
function fieldsChanged(changes: readonly FieldChange[]): string {
  const fields = changes.map(({ field }) => field).join(', ')
  return `Its definition is not the one that was agreed to (${fields}), so it is in quarantine.`
}

function inputInvalid(
  tool: string,
  issues: Extract<CallStart['input'], { ok: false }>['issues'],
): Refusal {
  const texts = issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
  return {
    code: 'input-invalid',
    message: `The arguments of "${tool}" are not valid: ${texts.join('; ')}.`,
    hint: 'Correct the arguments and call it again.',
    facts: { tool, issues },
  }
}

/** The refusal of one call of an available tool: the policy denies it because of its arguments. */
function deniedCall(tool: string, permission: Exclude<Permission, { effect: null }>): Refusal {
  const rule = permission.by === 'host' ? describeReason(permission) : `"${permission.skill}"`
  return {
    code: 'denied',
    message: `This call of "${tool}" is denied by the policy: ${rule}.`,
    hint: 'Other arguments may be allowed. Otherwise, ask the host to change its permissions.',
    forModel: 'Other arguments may be allowed. Otherwise, continue without it.',
    facts: { tool, status: 'denied', ...permission },
  }
}

/**
 * Returns the milliseconds a call of a tool should take at most: the target of the tool, else that
 * of the mode; null without one.
 */
export function latencyTarget(
  { limits }: Pick<Policy, 'limits'>,
  { latencyMs, category }: Pick<ToolDefinition, 'latencyMs' | 'category'>,
): number | null {
  return latencyMs ?? limits.latencyMs[category] ?? null
}

/** The refusal of a call whose principal has none left in its budget over all sessions. */
function spentByPrincipal(tool: string, { opening }: WorkspaceState): Refusal {
  const principal = opening?.principal ?? null
  const whose = principal === null ? 'sessions without a principal' : `the principal "${principal}"`
  return {
    code: 'principal-spent',
    message: `This call of "${tool}" was not made: the budget of calls of ${whose} is spent, over all sessions.`,
    hint: 'Wait until the budget is renewed, or ask the host to raise it.',
    forModel: 'Continue without further calls of tools, and say that the budget is spent.',
    facts: { tool, principal },
  }
}

type CallEnd = CommandOf<'call.end'>

/**
 * Records the end of a call and of the child sessions that end with it, and a warning for a missed latency target and
 * for each intent that the session does not accept. When the tool's extraction starts to drift, that is recorded, too:
 * once for a run of bad results. The files that it used are a fact if a condition depends on them.
 */
export function decideCallEnd(
  state: WorkspaceState,
  order: Order,
  command: CallEnd,
  { catalog }: EngineContext,
): Decision {
  const { type: _, extracted, children = [], dropped = [], missedTargetMs, paths, ...end } = command
  const fact = paths ? newFact({ paths }, state, catalog) : null
  const ended: WorkspaceEvent = {
    type: 'call.ended',
    ...end,
    ...(end.intents.length > 0 && { intentsWait: true as const }),
    ...(extracted && { extraction: extracted.result }),
    ...(extracted && extracted.entities.length > 0 && { entities: extracted.entities }),
  }
  const drifts = extracted !== undefined && startsToDrift(state, end, extracted)
  return accepted(
    order,
    ...queueFullEvents(state, end.intents.length),
    ...children.flatMap((child) => childEndEvents(state, child)),
    ended,
    ...(fact === null ? [] : [fact]),
    ...(drifts ? [drifted(end, extracted)] : []),
    ...dropped.map((one) => intentDropped(end.tool, one)),
    ...(missedTargetMs === undefined ? [] : [targetMissed(end, missedTargetMs)]),
  )
}

function targetMissed(
  { tool, durationMs }: Pick<CallEnd, 'tool' | 'durationMs'>,
  targetMs: number,
): WorkspaceEvent {
  return {
    type: 'warning.given',
    code: 'call-slow',
    subject: tool,
    message: `The call of "${tool}" took ${durationMs} ms, and its target is ${targetMs} ms.`,
    hint: 'Make the handler faster, let it run in the background, or change the target: latencyMs of the tool, or of the mode.',
  }
}

type Extracted = NonNullable<CallEnd['extracted']>

function startsToDrift(
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

function intentDropped(subject: string, { code, message, hint }: DroppedIntent): WorkspaceEvent {
  return { type: 'warning.given', code, subject, message, hint }
}

/**
 * Abandons a call that has run past its time limit, so that whatever waits for it can continue. The
 * call still counts against budgets. Changes nothing when the call has ended meanwhile or still has
 * time.
 */
export function decideAbandonment(
  { calls }: WorkspaceState,
  order: Order,
  { call: id, afterMs }: CommandOf<'call.abandon'>,
): Decision {
  const call = calls.find((one) => one.call === id)
  return call === undefined || order.now < call.startedAt + afterMs
    ? UNCHANGED
    : accepted(order, { type: 'call.abandoned', call: id, tool: call.tool })
}
