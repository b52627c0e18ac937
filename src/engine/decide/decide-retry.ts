import { type Decision, refused } from './decision.ts'
import { isSameCall } from '../model/call-event.ts'
import type { CommandOf, Order, Refusal } from '../model/command.ts'
import { allConfirmations } from '../model/consent-event.ts'
import type { EngineContext } from '../model/engine-context.ts'
import { IDS_REPEAT, type StepCall } from '../model/step-call.ts'
import type { EventOf } from '../model/workspace-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { assess } from '../standing/assess.ts'
import { namespaced } from '../standing/place-claims.ts'
import type { ToolRow } from '../standing/tool-table.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'

type CallStart = CommandOf<'call.start'>

/** The facts of a call that was made before, for the caller that answers it again. */
export interface CallMadeBefore {
  readonly call: string
  readonly tool: string
  /** The entries that started and ended it. */
  readonly started: number
  readonly ended: number
  /** The kind of answer that it got before its end; null when it has ended. */
  readonly open: 'running' | 'waiting' | null
  /** True for a call of an answer that was thrown away: this one has another id. */
  readonly isThrownAway?: boolean
}

/**
 * Decides a call that was made before in its step, with the same id: it is not made twice. Null for every other
 * call, and for one that may run again: of an idempotent tool, whose first run was interrupted.
 */
export function decideRetry(
  state: WorkspaceState,
  order: Order,
  command: CallStart,
  context: EngineContext,
): Decision | null {
  const own = earlierCall(state, command)
  const earlier = own ?? thrownAwayAction(state, command, context)
  if (earlier === null) {
    return command.hasHidden === true
      ? refused(order, command.tool, argumentsHidden(command))
      : null
  }
  const { call, tool, since: started, status, ended } = earlier
  if (!isSameInput(earlier, command)) return refused(order, tool, idTaken(earlier))
  const canRun = command.hasHidden !== true && isIdempotent(state, command.tool, context)
  if (wasInterrupted(earlier) && canRun) return null
  if (status === 'running') return { kind: 'refused', drafts: [], refusal: stillRunning(earlier) }
  if (status === 'lost') return refused(order, tool, outcomeUnknown(earlier))
  const facts: CallMadeBefore = {
    call,
    tool,
    started,
    ended: ended ?? started,
    ...(own === null && { isThrownAway: true }),
    open: status === 'detached' ? 'running' : status === 'client' ? 'waiting' : null,
  }
  return {
    kind: 'refused',
    drafts: [{ cause: order.cause, event: { type: 'call.retried', call, tool, started } }],
    refusal: {
      code: 'call-made-before',
      message: `"${tool}" was called with this id and these arguments before.`,
      hint: '',
      facts: { ...facts },
    },
  }
}

/**
 * Returns the action that succeeded in an answer that was thrown away in this turn, for the same call of another answer;
 * null for every other call, and in a session that runs them.
 */
function thrownAwayAction(
  state: WorkspaceState,
  command: CallStart,
  { calls: facts }: EngineContext,
): StepCall | null {
  if (facts?.recordsActions !== true || command.caller !== 'model') return null
  const action = state.stepCalls.calls.find(
    (one) =>
      one.isThrownAway === true &&
      one.category === 'action' &&
      one.status === 'ended' &&
      one.hasFailed !== true &&
      one.hash === command.hash &&
      isSameTool(one, command) &&
      isSameInput(one, command),
  )
  return action ?? null
}

/** Returns the interrupted call that a call makes again; null for every other one. It may run: see `decideRetry`. */
export function interruptedCall(state: WorkspaceState, command: CallStart): StepCall | null {
  const earlier = earlierCall(state, command)
  return earlier && wasInterrupted(earlier) && isSameInput(earlier, command) ? earlier : null
}

/**
 * Returns the confirmation of a call that was interrupted, for the same call that runs again: a person approved it
 * once. Null when nobody did, or when the definition is another one.
 */
export function consentBefore(state: WorkspaceState, command: CallStart): string | null {
  const before = interruptedCall(state, command)
  // A person approved it with other arguments, which only that run had.
  return before?.hash === command.hash && before.asked === undefined ? before.confirmation : null
}

function wasInterrupted({ status }: StepCall): boolean {
  return status === 'lost' || status === 'aborted'
}

/**
 * Returns the earlier call that a call may repeat: that of the current step with its id, or, for one from the
 * host's history, that of the step before as well. A call that a person is asked about has not run yet.
 */
function earlierCall(state: WorkspaceState, command: CallStart): StepCall | null {
  const { given, resumes, history = state.conversation.history } = command
  const { since, before } = state.stepCalls
  const calls = state.stepCalls.calls.filter((one) => isSameTool(one, command))
  const isOfRequest = (one: StepCall) => history !== null && one.history === history
  const isOfLast = (one: StepCall) => command.history === undefined && one.since >= since
  if (resumes !== undefined) {
    const made = calls.findLast(
      (one) =>
        (one.since >= before || isOfRequest(one) || one.confirmation !== null) &&
        one.given === resumes &&
        isSameInput(one, command),
    )
    const isAsked = allConfirmations(state).some(
      (one) => one.tool === made?.tool && one.digest === (made.asked ?? made.digest),
    )
    if (made !== undefined && !isAsked) return made
  }
  // Without a step nobody knows whether an id that comes again means the same call.
  if (given === undefined || since === 0) return null
  const own = calls.filter((one) => one.given === given && (isOfLast(one) || isOfRequest(one)))
  // A request that was made again has another answer: its calls may have other arguments.
  return (
    own.findLast((one) => isSameInput(one, command)) ??
    own.findLast(({ step }) => step === state.step) ??
    null
  )
}

/** Arguments without their secrets are those of the call with their id: no other is made from that answer. */
function isSameInput({ digest, asked }: StepCall, { input, hasHidden }: CallStart): boolean {
  return hasHidden === true || (input.ok && (input.digest === digest || input.digest === asked))
}

/**
 * Returns true for a call of the tool that was called before. A name means the same tool when it has gone to another
 * owner since: a call that is made again must not run twice. An address names its owner, and means no other.
 */
function isSameTool({ tool, source, owner }: StepCall, { tool: address }: CallStart): boolean {
  const slash = address.lastIndexOf('/')
  if (slash < 0) return address === tool
  const [of, name] = [address.slice(0, slash), address.slice(slash + 1)]
  const isOwner = of === owner || of === `${source}:${owner}`
  return isOwner && (name === tool || namespaced(name, owner) === tool)
}

function isIdempotent(state: WorkspaceState, tool: string, context: EngineContext): boolean {
  const assessment = assess(state, context, tool)
  return assessment.kind === 'registered' && assessment.row.tool?.idempotent === true
}

function idTaken({ given, tool, since }: StepCall): Refusal {
  return {
    code: 'call-id-taken',
    message: `"${tool}" was called with the id "${given}" and other arguments in this step, at entry ${since}.`,
    hint: 'Give each call of an answer an id of its own. To retry a call, give the same arguments.',
    forModel: 'Make the call again.',
    facts: { call: given, tool, started: since },
  }
}

function argumentsHidden({ tool }: CallStart): Refusal {
  return {
    code: 'arguments-not-kept',
    message: `The arguments of this call of "${tool}" had a secret, which the log does not keep. The process that knew it died before the call was made.`,
    hint: 'Nothing ran. Make the call again with all of its arguments.',
    facts: { tool },
  }
}

function stillRunning({ call, tool, since }: StepCall): Refusal {
  return {
    code: 'call-running',
    message: `The call "${call}" of "${tool}" is still running.`,
    hint: 'Wait until it has ended.',
    facts: { call, tool, started: since },
  }
}

function outcomeUnknown({ call, tool, since }: StepCall): Refusal {
  return {
    code: 'call-outcome-unknown',
    message: `"${tool}" was called before under this id, and the process that ran it is gone. What it did is not known.`,
    hint: 'Find out what it did before you call it again.',
    facts: { call, tool, started: since },
  }
}

/** Warns once in a session when a call has the id of a call of an earlier step: it is another call. */
export function repeatedIdEvents(
  { stepCalls: { since, calls, idsRepeat } }: WorkspaceState,
  { given, tool }: CallStart,
): readonly EventOf<'warning.given'>[] {
  const repeats =
    given !== undefined &&
    !idsRepeat &&
    calls.some((one) => one.since < since && one.given === given)
  if (!repeats) return []
  return [
    {
      type: 'warning.given',
      code: IDS_REPEAT,
      subject: tool,
      message: `The id "${given}" of this call was used in an earlier step: the model's server numbers the calls of each answer from the start.`,
      hint: 'Each is a call of its own. Do not use their ids as keys elsewhere: they are unique in a step only.',
    },
  ]
}

/**
 * The refusal of a call that repeats: the model makes it again and again with the same arguments, or calls a tool whose last
 * calls all found nothing, in this turn, while nothing changes. A session without turns has no limit, and neither have
 * tools for polling.
 */
export function repeatRefusal(
  state: WorkspaceState,
  row: ToolRow,
  digest: ContentHash,
  { caller }: CallStart,
  { calls }: Pick<EngineContext, 'calls'>,
): Refusal | null {
  if (caller !== 'model' || state.turn === 0 || row.tool?.polling === true) return null
  const { mostSame = Infinity, mostEmpty = Infinity } = calls ?? {}
  return sameRefusal(state, row, digest, mostSame) ?? emptyRefusal(state, row, mostEmpty)
}

function sameRefusal(
  { sameCalls }: WorkspaceState,
  { claim: { name, hash }, owner: { owner } }: ToolRow,
  digest: ContentHash,
  limit: number,
): Refusal | null {
  const times = sameCalls.find((one) => isSameCall(one, { hash, owner, digest }))?.times ?? 0
  if (times < limit) return null
  return {
    code: 'call-repeated',
    message: `"${name}" was called with these arguments ${times} times in this turn, and nothing has changed since.`,
    hint: 'Use the results of those calls, call it with other arguments, or answer without it.',
    facts: { tool: name, times, limit },
  }
}

function emptyRefusal(
  { emptyCalls }: WorkspaceState,
  { claim: { name }, owner: { owner } }: ToolRow,
  limit: number,
): Refusal | null {
  const { times = 0 } = emptyCalls.find((one) => one.tool === name && one.owner === owner) ?? {}
  if (times < limit) return null
  return {
    code: 'results-empty',
    message: `The last ${times} calls of "${name}" in this turn found nothing.`,
    hint: 'Look in another place with another tool, or answer that nothing was found.',
    facts: { tool: name, times, limit },
  }
}
