import { noteFoundCall } from './evolve-discovery.ts'
import { queueIntents } from './evolve-intents.ts'
import { evolveMemory } from './evolve-memory.ts'
import {
  type BackgroundEvent,
  type BackgroundResults,
  type BackgroundState,
  type CallEvent,
  EMPTY_BACKGROUND,
  type EndedBackgroundCall,
  type RunningBackgroundCall,
  type ToolUse,
} from '../model/call-event.ts'
import { isMeta, type OpenSource, sameOwner } from '../model/source-event.ts'
import type { Entry } from '../model/workspace-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { currentTurn } from '../standing/ended-lifetimes.ts'

/** What the beginning or the end of a call leaves. Pure and total. */
export function evolveCalls(
  state: WorkspaceState,
  { seq, at, cause, event }: Omit<Entry, 'event'> & { readonly event: CallEvent },
): WorkspaceState {
  switch (event.type) {
    case 'call.started': {
      const { call, tool, source, owner, category, confirmation } = event
      const turn = currentTurn(state)
      return {
        ...state,
        open: usedOnce(state.open, event, turn),
        calls: [
          ...state.calls.filter((one) => one.call !== call),
          { call, tool, source, owner, since: seq, startedAt: at, limitMs: event.limitMs ?? null },
        ],
        used: counted(state, tool, turn),
        ...noteFoundCall(state, event, seq),
        callsThisTurn: isMeta(event)
          ? state.callsThisTurn
          : { ...state.callsThisTurn, [category]: state.callsThisTurn[category] + 1 },
        callsInSession: state.callsInSession + (isMeta(event) ? 0 : 1),
        confirmations: state.confirmations.filter(({ id }) => id !== confirmation),
      }
    }
    case 'call.ended': {
      const calls = state.calls.filter(({ call }) => call !== event.call)
      const background = endInBackground(state.background, ended(event, seq))
      const end = { seq, at, cause, event }
      const left = { ...evolveMemory(state, end), ...queueIntents(state, end) }
      return { ...state, calls, background, ...left }
    }
  }
}

/** One that ended without a result was told to end by an entry that had none. */
function ended(
  { call, tool, ok, error, result }: Extract<CallEvent, { type: 'call.ended' }>,
  seq: number,
): EndedBackgroundCall {
  const none = ok ? { ok, data: null } : { ok, message: 'It says no more.' }
  return { call, tool, error, result: result ?? none, seq }
}

/** One more use of a tool; the latest used last. */
function counted(
  { used, seq: lastSeq, toldSince }: WorkspaceState,
  tool: string,
  lastTurn: number,
): readonly ToolUse[] {
  const known = used.find((one) => one.tool === tool)
  const { count, lastResult } = known ?? { count: 0, lastResult: null }
  const isOld = known !== undefined && known.lastSeq < toldSince
  const before = isOld ? { count, lastResult } : (known?.before ?? null)
  const use = { tool, count: count + 1, lastSeq, lastTurn, lastResult, before }
  return [...used.filter((one) => one.tool !== tool), use]
}

/** The very list when the call changes nothing of its source: tables are kept as long as it is. */
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

type Background = BackgroundState['background']

/** Results that wait to be told, and the ids of those beyond. */
const MOST_RESULTS = 10

const MOST_LEFT_OUT = 20

/** A call goes on in the background. */
export function detachCall(
  background: Background,
  { call, tool, caller }: BackgroundEvent,
  seq: number,
): Background {
  const running: RunningBackgroundCall = { call, tool, caller, since: seq }
  return { ...background, running: [...background.running, running] }
}

/**
 * A call has ended, in whatever way. The very object for a call that was not in the background. What
 * the host's or a user's call came to is theirs to read; a model is told of its own.
 */
export function endInBackground(background: Background, ended: EndedBackgroundCall): Background {
  const known = background.running.find(({ call }) => call === ended.call)
  if (known === undefined) return background
  const running = background.running.filter((one) => one !== known)
  const isModels = known.caller === 'model' || known.caller === 'tool'
  return {
    ...background,
    running,
    untold: isModels ? withResult(background.untold, ended) : background.untold,
  }
}

/** A step began, so what had not been told is told now. */
export function deliverBackgroundResults(background: Background): Background {
  return background.untold.calls.length === 0
    ? background
    : { ...background, untold: EMPTY_BACKGROUND.background.untold, told: background.untold }
}

function withResult(
  { calls, leftOut }: BackgroundResults,
  ended: EndedBackgroundCall,
): BackgroundResults {
  const all = [...calls, ended]
  const tooMany = all.slice(0, -MOST_RESULTS).map(({ call }) => call)
  return {
    calls: all.slice(-MOST_RESULTS),
    leftOut: tooMany.length === 0 ? leftOut : [...leftOut, ...tooMany].slice(-MOST_LEFT_OUT),
  }
}
