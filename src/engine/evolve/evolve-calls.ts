import type { EndedBackgroundCall } from '../model/background-state.ts'
import { endInBackground } from './evolve-background.ts'
import { currentTurn } from '../standing/current-turn.ts'
import { noteFoundCall } from './evolve-discovery.ts'
import type { Entry } from '../model/event.ts'
import { queueIntents } from './evolve-intents.ts'
import { rememberCall } from './evolve-memory.ts'
import { isMeta } from '../model/meta-owner.ts'
import type { OpenSource } from '../model/source-state.ts'
import type { WorkspaceState } from '../model/state.ts'
import { sameOwner } from '../model/same-owner.ts'
import type { CallEvent } from '../model/call-event.ts'
import type { ToolUse } from '../model/call-state.ts'

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
      const left = { ...rememberCall(state, end), ...queueIntents(state, end) }
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
