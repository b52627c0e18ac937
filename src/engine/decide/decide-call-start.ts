import type { FieldChange } from '../../catalog/definition-change.ts'
import { assess } from '../standing/assess.ts'
import type { Command, Order } from '../model/command.ts'
import { consentForCall, type CallConsent } from './consent-for-call.ts'
import { accepted, refused, type Decision, type Refusal } from './decision.ts'
import { explainTool } from '../explain/explain-tool.ts'
import { latencyTarget } from './latency-target.ts'
import { permissionOf } from '../standing/permission-of.ts'
import { asksFirst } from '../standing/standing-of.ts'
import type { WorkspaceState } from '../model/state.ts'
import type { Surroundings } from '../model/surroundings.ts'
import { unseenWhere } from '../standing/where-matches.ts'
import { deniedCall } from './denied-call.ts'

type Start = Extract<Command, { type: 'call.start' }>

/**
 * The gate of every call: standing, then arguments, then consent.
 *
 * It is decided on the state the log will have just before `call.started`, so budgets,
 * single use and consent hold across processes.
 */
export function decideCallStart(
  state: WorkspaceState,
  order: Order,
  command: Start,
  around: Surroundings,
): Decision {
  const standing = assess(state, around, command.tool)
  if (standing.kind !== 'registered' || standing.status !== 'available') {
    return refused(order, command.tool, unavailable(state, around, command.tool))
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
  const judgement = permissionOf(row, state, around, where)
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
function unavailable(state: WorkspaceState, around: Surroundings, tool: string): Refusal {
  const { status, owner, because, fix, nearest, changes } = explainTool(state, around, tool)
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
