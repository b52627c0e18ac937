import { deepFreeze } from '../registry/deep-freeze.ts'
import type { EndedBackgroundCall } from './background/background-state.ts'
import { currentTurn } from './current-turn.ts'
import type { Entry } from './event.ts'
import { detach, endInBackground, tellBackground } from './background/evolve-background.ts'
import { consentAfterAcceptance, evolveConsent, pinsAtOpening } from './consent/evolve-consent.ts'
import { evolveDiscovery, noteFoundCall } from './discovery/evolve-discovery.ts'
import { evolveFork } from './fork/evolve-fork.ts'
import { evolveIntents, queueIntents } from './intents/evolve-intents.ts'
import { rememberCall } from './memory/evolve-memory.ts'
import { NO_CONTROLS } from './intents/intent-state.ts'
import { usesOf } from './lifetime-end.ts'
import { isMeta } from './meta-owner.ts'
import type { OpenSource, ToolUse, WorkspaceState } from './state.ts'
import { tellAnew } from './memory/tell-anew.ts'
import { givingUp, reopened } from './source-claims.ts'
import { sameOwner } from './winner.ts'

/**
 * Apply one log entry to a state.
 *
 * Pure and total. Whether an event is allowed is settled in `decide`; once it is in
 * the log it has happened, so nothing is checked or refused here. Component states are frozen:
 * they are handed to handlers, and only another entry may change them.
 */
export function evolve(before: WorkspaceState, { seq, at, cause, event }: Entry): WorkspaceState {
  const state = { ...before, seq, latestAt: Math.max(before.latestAt, at) }
  switch (event.type) {
    case 'session.opened': {
      const { session, agent, catalog, tokenizer, principal, policy } = event
      return {
        ...state,
        opening: { session, agent, catalog, tokenizer, principal },
        policy,
        policySince: seq,
      }
    }
    case 'policy.changed':
      return { ...state, policy: event.policy, policySince: seq }
    case 'source.opened': {
      const { source, owner, definition, lifetime, requested } = event
      const claims = event.claims.map((claim) => ({ ...claim, since: seq }))
      const known = state.open.find((one) => one.source === source && one.owner === owner)
      const usesLeft = usesOf(lifetime)
      const turn = currentTurn(state)
      const terms = { lifetime, usesLeft, requested, turn, lastTurn: turn }
      const opened: OpenSource = known
        ? reopened(known, claims)
        : { source, owner, definition, claims, ...terms, since: seq, cause }
      return {
        ...state,
        open: known
          ? state.open.map((one) => (one === known ? opened : one))
          : [...state.open, opened],
        closed: state.closed.filter((one) => one.source !== source || one.owner !== owner),
        pins: pinsAtOpening(state, event, seq),
      }
    }
    case 'source.kept': {
      const { owner, requested, lifetime } = event
      const turn = currentTurn(state)
      const terms = { requested, lifetime, usesLeft: usesOf(lifetime), turn, lastTurn: turn }
      return {
        ...state,
        open: state.open.map((one) =>
          one.source === 'skill' && one.owner === owner ? { ...one, ...terms } : one,
        ),
      }
    }
    case 'source.closed': {
      const { source, owner, names } = event
      const gone = (one: OpenSource) => one.source === source && one.owner === owner
      if (names !== null) {
        return {
          ...state,
          open: state.open.map((one) => (gone(one) ? givingUp(one, names) : one)),
        }
      }
      return {
        ...state,
        open: state.open.filter((one) => !gone(one)),
        closed: [
          ...state.closed.filter((one) => one.source !== source || one.owner !== owner),
          { source, owner, seq, cause },
        ],
        components:
          source === 'component'
            ? state.components.filter(({ key }) => key !== owner)
            : state.components,
        broken:
          source === 'skill' ? state.broken.filter(({ skill }) => skill !== owner) : state.broken,
        flaps:
          source === 'skill' && cause.by === 'model' ? flapped(state.flaps, owner) : state.flaps,
      }
    }
    case 'source.accepted': {
      const claims = event.claims.map((claim) => ({ ...claim, since: seq }))
      return {
        ...state,
        open: state.open.map((one) =>
          one.source === 'skill' && one.owner === event.owner
            ? { ...one, definition: event.definition, claims }
            : one,
        ),
        broken: state.broken.filter(({ skill }) => skill !== event.owner),
        ...consentAfterAcceptance(state, event),
      }
    }
    case 'tool.switched': {
      const others = state.disabled.filter(({ tool }) => tool !== event.tool)
      return {
        ...state,
        disabled: event.enabled ? others : [...others, { tool: event.tool, seq, cause }],
      }
    }
    case 'turn.begun':
      return {
        ...state,
        turn: event.turn,
        ...tellAnew(state, seq),
        callsThisTurn: { retrieval: 0, action: 0, utility: 0 },
        confirmations: state.confirmations.filter(({ consent }) => consent !== 'denied'),
        searches: [],
        flaps: [],
        controls: NO_CONTROLS,
      }
    case 'step.begun': {
      const { step, exposed, sections, cost = null } = event
      const background = tellBackground(state.background)
      return { ...state, step, exposed, sections, cost, compacted: null, background }
    }
    case 'session.compacted': {
      const { sections, rules, tokens } = event
      return {
        ...state,
        ...tellAnew(state, seq),
        summarisedAt: seq,
        sections,
        rulesSent: rules,
        compacted: { seq, tokens },
      }
    }
    case 'component.updated': {
      const updated = { key: event.component, state: deepFreeze(event.state), seq }
      const known = state.components.some(({ key }) => key === event.component)
      return {
        ...state,
        components: known
          ? state.components.map((one) => (one.key === event.component ? updated : one))
          : [...state.components, updated],
      }
    }
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
    case 'call.detached':
      return { ...state, background: detach(state.background, event, seq) }
    case 'call.ended': {
      const calls = state.calls.filter(({ call }) => call !== event.call)
      const background = endInBackground(state.background, ended(event, seq))
      const end = { seq, at, cause, event }
      const left = { ...rememberCall(state, end), ...queueIntents(state, end) }
      return { ...state, calls, background, ...left }
    }
    case 'confirmation.asked': {
      const { id, tool, hash, digest, principal, expiresAt } = event
      const asked = {
        id,
        tool,
        hash,
        digest,
        principal,
        expiresAt,
        consent: 'pending' as const,
        seq,
      }
      return { ...state, confirmations: [...state.confirmations, asked] }
    }
    case 'confirmation.approved':
    case 'confirmation.denied': {
      const consent = event.type === 'confirmation.approved' ? 'approved' : 'denied'
      return {
        ...state,
        confirmations: state.confirmations.map((one) =>
          one.id === event.id ? { ...one, consent, seq } : one,
        ),
      }
    }
    case 'confirmation.expired':
      return {
        ...state,
        confirmations: state.confirmations.filter(({ id }) => id !== event.id),
      }
    case 'skill.broken': {
      const { skill, message } = event
      const others = state.broken.filter((one) => one.skill !== skill)
      return { ...state, broken: [...others, { skill, seq, message }] }
    }
    case 'memory.summarised':
      return { ...state, memory: { ...state.memory, summary: event.summary } }
    case 'approval.remembered':
    case 'approval.recalled':
    case 'approval.revoked':
    case 'tool.accepted':
    case 'call.abandoned':
      return evolveConsent(state, { seq, event })
    case 'tool_discovery_start':
    case 'tool_discovery_result':
    case 'tools_enabled':
    case 'tools_evicted':
    case 'rules.sent':
      return evolveDiscovery(state, { seq, at, cause, event })
    case 'session.forked':
      return evolveFork(state, event)
    case 'turn.ended':
    case 'intent.taken':
    case 'intent.applied':
    case 'intent.failed':
      return evolveIntents(state, event)
    case 'metrics.reset':
    case 'extraction.drifted':
    case 'warning.given':
    case 'command.refused':
    case 'activation.failed':
      return state
  }
}

/** One that ended without a result was told to end by an entry that had none. */
function ended(
  { call, tool, ok, error, result }: Extract<Entry['event'], { type: 'call.ended' }>,
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

/** Skills of one turn whose coming and going is counted: more than anyone equips in it. */
const MOST_FLAPS = 20

function flapped(flaps: WorkspaceState['flaps'], skill: string): WorkspaceState['flaps'] {
  const times = (flaps.find((one) => one.skill === skill)?.times ?? 0) + 1
  return [...flaps.filter((one) => one.skill !== skill), { skill, times }].slice(-MOST_FLAPS)
}
