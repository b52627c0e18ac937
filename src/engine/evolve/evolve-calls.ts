import { endInBackground } from './end-in-background.ts'
import { noteFoundCall } from './evolve-discovery.ts'
import { queueIntents } from './evolve-intents.ts'
import { evolveMemory } from './evolve-memory.ts'
import {
  type BackgroundEvent,
  type CallEvent,
  isSameCall,
  type OpenCall,
  type ToolUse,
} from '../model/call-event.ts'
import { withoutConfirmations } from '../model/consent-event.ts'
import { currentTurn, isMeta, type OpenSource, sameOwner } from '../model/source-event.ts'
import { IDS_REPEAT, requestMade, type StepCall, type StepCallState } from '../model/step-call.ts'
import type { Entry, EventOf } from '../model/workspace-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'

/** Applies the start or the end of a call. Pure and total. */
export function evolveCalls(
  state: WorkspaceState,
  { seq, at, cause, event }: Omit<Entry, 'event'> & { readonly event: CallEvent },
): WorkspaceState {
  switch (event.type) {
    case 'call.started': {
      const { again } = event
      const counted = again === undefined ? state : uncountCall(state, { ...event, since: again })
      return startCall(counted, { seq, at, event })
    }
    case 'call.ended': {
      const { call, tool, ok, error } = event
      const isOther = (one: OpenCall) => one.call !== call
      const calls = state.calls.filter(isOther)
      const waiting = state.waiting.every(isOther) ? state.waiting : state.waiting.filter(isOther)
      // A call without a recorded result was ended by an entry that had none.
      const none = ok ? { ok, data: null } : { ok, message: 'It says no more.' }
      const result = event.result ?? none
      const background = endInBackground(state.background, { call, tool, error, result, seq })
      const end = { seq, at, cause, event }
      const left = { ...evolveMemory(state, end), ...queueIntents(state, end) }
      const asked = withoutConfirmations(state, (one) => one.call === call)
      const emptyCalls = withEmpty(state, event)
      return { ...state, calls, waiting, background, emptyCalls, ...asked, ...left }
    }
  }
}

function startCall(
  state: WorkspaceState,
  { seq, at, event }: Pick<Entry, 'seq' | 'at'> & { readonly event: EventOf<'call.started'> },
): WorkspaceState {
  const { call, tool, source, owner, category, confirmation, limitMs = null } = event
  const turn = currentTurn(state)
  return {
    ...state,
    open: usedOnce(state.open, event, turn),
    calls: [
      ...state.calls.filter((one) => one.call !== call),
      { call, tool, source, owner, since: seq, startedAt: at, limitMs },
    ],
    used: withUse(state, event, turn),
    ...noteFoundCall(state, event, seq),
    callsThisTurn: isMeta(event)
      ? state.callsThisTurn
      : { ...state.callsThisTurn, [category]: state.callsThisTurn[category] + 1 },
    callsInSession: state.callsInSession + (isMeta(event) ? 0 : 1),
    sameCalls: withCall(state.sameCalls, event),
    emptyCalls: event.category === 'action' && !isMeta(event) ? [] : state.emptyCalls,
    ...withoutConfirmations(state, ({ id }) => id === confirmation),
  }
}

/** The facts of a call that count. */
type CountedCall = Pick<
  StepCall,
  'tool' | 'source' | 'owner' | 'hash' | 'digest' | 'category' | 'since'
>

/** Returns a state in which a call that was interrupted does not count: it runs again, and counts once. */
export function uncountCall(state: WorkspaceState, call: CountedCall): WorkspaceState {
  if (isMeta(call)) return state
  const { callsThisTurn, callsInSession, toldSince } = state
  const { category } = call
  const less = (count: number) => Math.max(0, count - 1)
  return {
    ...state,
    open: state.open.map((one) =>
      one.usesLeft !== null && sameOwner(one, call) ? { ...one, usesLeft: one.usesLeft + 1 } : one,
    ),
    used: state.used.map((one) =>
      one.tool === call.tool ? { ...one, count: less(one.count) } : one,
    ),
    callsThisTurn:
      call.since > toldSince
        ? { ...callsThisTurn, [category]: less(callsThisTurn[category]) }
        : callsThisTurn,
    callsInSession: less(callsInSession),
    sameCalls: state.sameCalls.map((one) =>
      isSameCall(one, call) ? { ...one, times: less(one.times) } : one,
    ),
  }
}

/** Different calls of one turn that are counted. */
const MOST_SAME_CALLS = 50

/** Counts a call of the model. An action may change the results of all other calls. */
function withCall(
  sameCalls: WorkspaceState['sameCalls'],
  call: EventOf<'call.started'>,
): WorkspaceState['sameCalls'] {
  if (isMeta(call)) return sameCalls
  const others = sameCalls.filter((one) => !isSameCall(one, call))
  const kept = call.category === 'action' ? [] : others
  if (call.caller !== 'model') return kept.length === sameCalls.length ? sameCalls : kept
  const { hash, owner, digest } = call
  const times = (sameCalls.find((one) => isSameCall(one, call))?.times ?? 0) + 1
  return [...kept, { hash, owner, digest, times }].slice(-MOST_SAME_CALLS)
}

/** Counts a call that found nothing; one that found something ends the run of its tool. */
function withEmpty(
  { emptyCalls, calls }: WorkspaceState,
  { call, tool, ok, empty }: EventOf<'call.ended'>,
): WorkspaceState['emptyCalls'] {
  const owner = calls.find((one) => one.call === call)?.owner
  const known = emptyCalls.find((one) => one.tool === tool && one.owner === owner)
  if (owner === undefined || !ok || (empty !== true && known === undefined)) return emptyCalls
  const others = emptyCalls.filter((one) => one !== known)
  return empty === true ? [...others, { tool, owner, times: (known?.times ?? 0) + 1 }] : others
}

/** Adds one use of a tool; the latest used tool is last. */
function withUse(
  { used, seq: lastSeq, toldSince }: WorkspaceState,
  { tool, hash, condition }: EventOf<'call.started'>,
  lastTurn: number,
): readonly ToolUse[] {
  const known = used.find((one) => one.tool === tool)
  const { count, lastResult, lastEnd } = known ?? { count: 0, lastResult: null }
  const isOld = known !== undefined && known.lastSeq < toldSince
  const before = isOld ? { count, lastResult } : (known?.before ?? null)
  const asked = condition && { conditional: hash }
  const ended = lastEnd === undefined ? {} : { lastEnd }
  const use = { tool, count: count + 1, lastSeq, lastTurn, ...asked, lastResult, ...ended, before }
  return [...used.filter((one) => one.tool !== tool), use]
}

/**
 * Counts a use of a source. Returns the same list when nothing changes, because tables are memoised
 * by it.
 */
function usedOnce(
  open: readonly OpenSource[],
  call: Pick<OpenSource, 'source' | 'owner'>,
  lastTurn: number,
): readonly OpenSource[] {
  const it = open.find((one) => sameOwner(one, call))
  if (it === undefined || (it.usesLeft === null && it.lastTurn === lastTurn)) return open
  const usesLeft = it.usesLeft === null ? null : it.usesLeft - 1
  return open.map((one) => (one === it ? { ...one, lastTurn, usesLeft } : one))
}

/** Calls that may wait for the client at a time; the oldest is forgotten. */
const MOST_WAITING = 100

/** Moves a call from the running ones to those that wait for the client. */
export function waitForClient(state: WorkspaceState, { call }: BackgroundEvent): WorkspaceState {
  const moved = state.calls.filter((one) => one.call === call)
  return {
    ...state,
    calls: state.calls.filter((one) => one.call !== call),
    waiting: [...state.waiting, ...moved].slice(-MOST_WAITING),
  }
}

/** Begins a step: its calls count from here, and those of the last step with calls are kept. */
function beginStepCalls({ stepCalls }: WorkspaceState, seq: number): StepCallState {
  const { since, before, calls } = stepCalls
  const hadCalls = calls.some((one) => one.since >= since)
  return { stepCalls: { ...stepCalls, since: seq, before: hadCalls ? since : before } }
}

/** The most requests that are kept: a turn of more steps cannot be made again from its beginning. */
const MOST_REQUESTS = 500

/**
 * Begins a request. One with the history of the request before is for the same step. One that was made before in this
 * turn throws away what its first answer led to.
 */
export function beginRequest(
  state: WorkspaceState,
  seq: number,
  { step, run, attempt }: EventOf<'step.begun'>,
  history: string | null,
): StepCallState {
  const isAgain = history !== null && history === state.conversation.history
  const { stepCalls } = isAgain ? state : beginStepCalls(state, seq)
  if (history === null) return { stepCalls }
  const since = stepCalls.requests.find((one) => one.history === history)?.since ?? seq
  const { number: attempts = 1, step: first = step } = attempt ?? {}
  const made = { history, since, turn: state.turn, step: first, attempts, ...(run && { run }) }
  const requests = withRequest(stepCalls.requests, made)
  return { stepCalls: { ...stepCalls, requests, calls: withThrownAway(stepCalls, history) } }
}

function withRequest(requests: StepRequests, made: StepRequests[number]): StepRequests {
  return [...requests.filter(({ history }) => history !== made.history), made].slice(-MOST_REQUESTS)
}

type StepRequests = StepCallState['stepCalls']['requests']

/** Keeps the answer to a request, or takes a step up again whose answer was kept. */
export function evolveAnswer(
  state: WorkspaceState,
  seq: number,
  event: EventOf<'step.answered' | 'step.repeated'>,
): WorkspaceState {
  const { history, run } = event
  const made = requestMade(state.stepCalls, history, run)
  if (event.type === 'step.answered') {
    const { step, stored, hidden } = event
    const first = { history, since: seq, turn: state.turn, step, ...(run && { run }) }
    const answer = { stored, ...(hidden && { hidden }) }
    const requests = withRequest(state.stepCalls.requests, { ...(made ?? first), answer })
    // One that no request led to is of a step of its own.
    const conversation = made ? state.conversation : { ...state.conversation, history }
    return { ...state, conversation, stepCalls: { ...state.stepCalls, requests } }
  }
  if (made === undefined) return state
  const isLast = history === state.conversation.history
  const { stepCalls } = isLast ? state : beginStepCalls(state, seq)
  const again = { ...made, turn: state.turn, attempts: event.attempt.number }
  const requests = withRequest(stepCalls.requests, again)
  const conversation = { ...state.conversation, history }
  return { ...state, conversation, stepCalls: { ...stepCalls, requests } }
}

/** Returns the calls of a session, where a request with this history is made now. */
export function withThrownAway(
  { calls, requests }: StepCallState['stepCalls'],
  history: string,
): readonly StepCall[] {
  const since = requests.find((one) => one.history === history)?.since ?? Infinity
  return calls.map((one) => {
    const isLater = one.since > since && one.history !== null && one.status !== 'client'
    return isLater && one.isThrownAway !== true ? { ...one, isThrownAway: true } : one
  })
}

/** Begins a turn: requests of the one before may still be made again, in another process. */
export function beginTurnCalls(state: WorkspaceState, seq: number): StepCallState {
  const { stepCalls } = beginStepCalls(state, seq)
  // Those of a run last as long as the engine makes it again.
  const requests = stepCalls.requests.filter(({ turn, run }) => turn === state.turn || run)
  const calls = stepCalls.calls.map((one) =>
    one.isThrownAway === true ? { ...one, isThrownAway: false } : one,
  )
  return { stepCalls: { ...stepCalls, requests, calls } }
}

/** The most calls that are kept: a host that begins no steps makes all of them in one. */
const MOST_CALLS = 500

type CallProgress = EventOf<
  | 'call.started'
  | 'call.ended'
  | 'call.detached'
  | 'call.abandoned'
  | 'call.retried'
  | 'warning.given'
>

/** Notes the start and the end of the calls of a step. Pure and total. */
export function evolveStepCalls(
  state: WorkspaceState,
  { seq, event }: { readonly seq: number; readonly event: CallProgress },
): WorkspaceState {
  const { stepCalls } = state
  switch (event.type) {
    case 'call.started': {
      if (event.within !== undefined) return state
      const {
        call,
        given = call,
        tool,
        source,
        owner,
        hash,
        digest,
        asked,
        category,
        confirmation,
      } = event
      const of = { call, given, tool, source, owner, hash, digest, category, confirmation }
      const own = { ...of, ...(asked !== undefined && { asked }), since: seq, step: state.step }
      const oldest = Math.min(stepCalls.before, stepCalls.requests[0]?.since ?? Infinity)
      const calls = stepCalls.calls.filter(({ since }) => since >= oldest)
      const { history: answered = state.conversation.history } = event
      const history = event.caller === 'model' ? answered : null
      const started: StepCall = { ...own, history, status: 'running', ended: null }
      return {
        ...state,
        stepCalls: { ...stepCalls, calls: [...calls, started].slice(-MOST_CALLS) },
      }
    }
    case 'call.ended':
      return ended(
        state,
        event.call,
        seq,
        event.error === 'ABORTED' ? 'aborted' : 'ended',
        !event.ok,
      )
    case 'call.retried': {
      const calls = stepCalls.calls.map((one) =>
        one.since === event.started ? { ...one, isThrownAway: false } : one,
      )
      return { ...state, stepCalls: { ...stepCalls, calls } }
    }
    case 'call.abandoned':
      return ended(state, event.call, seq, 'lost')
    case 'call.detached':
      return ended(state, event.call, seq, event.client === true ? 'client' : 'detached')
    case 'warning.given':
      return event.code === IDS_REPEAT
        ? { ...state, stepCalls: { ...stepCalls, idsRepeat: true } }
        : state
  }
}

/** Ends the running call with an id. A call in the background was answered when it was detached. */
function ended(
  state: WorkspaceState,
  call: string,
  seq: number,
  status: StepCall['status'],
  hasFailed = false,
): WorkspaceState {
  const { stepCalls } = state
  const at = stepCalls.calls.findLastIndex((one) => one.call === call && one.status === 'running')
  const known = stepCalls.calls[at]
  if (known === undefined) return state
  const calls = stepCalls.calls.with(at, {
    ...known,
    status,
    ended: seq,
    ...(hasFailed && { hasFailed }),
  })
  return { ...state, stepCalls: { ...stepCalls, calls } }
}
