import { deliverBackgroundResults, detachCall, evolveCalls } from './evolve-calls.ts'
import { evolveConfirmations, evolveConsent, withoutConsent } from './evolve-consent.ts'
import { evolveDiscovery } from './evolve-discovery.ts'
import { evolveIntents } from './evolve-intents.ts'
import { memoryBaseline } from './evolve-memory.ts'
import { evolveSources } from './evolve-sources.ts'
import { NO_CALLS } from '../model/call-event.ts'
import type { ConversationChange, ConversationState } from '../model/conversation-state.ts'
import { NO_CONTROLS } from '../model/intent-event.ts'
import type { Entry, EventType, ForkEvent } from '../model/workspace-event.ts'
import { EMPTY_STATE, type WorkspaceState } from '../model/workspace-state.ts'
import { deepFreeze } from '../../kernel/json-value.ts'

const NONE: WorkspaceState['sameCalls'] = []

/** Events after which the same call may have another result. */
const CHANGES: ReadonlySet<EventType> = new Set<EventType>([
  'turn.begun',
  'policy.changed',
  'source.opened',
  'source.synced',
  'source.closed',
  'source.accepted',
  'tool.switched',
  'component.updated',
  'intent.applied',
  'confirmation.approved',
  'session.compacted',
])

/**
 * Applies one log entry to a state.
 *
 * Pure and total. `decide` settles whether an event is allowed. Once it is in the log it has
 * happened, so nothing is checked or refused here. Component states are frozen: handlers get them,
 * and only another entry may change them.
 */
export function evolve(before: WorkspaceState, { seq, at, cause, event }: Entry): WorkspaceState {
  const sameCalls = CHANGES.has(event.type) ? NONE : before.sameCalls
  const state = { ...before, seq, latestAt: Math.max(before.latestAt, at), sameCalls }
  switch (event.type) {
    case 'session.opened': {
      const { session, agent, catalog, setup = null, tokenizer, principal, policy } = event
      return {
        ...state,
        opening: { session, agent, catalog, setup, kept: [], tokenizer, principal },
        policy,
        policySince: seq,
      }
    }
    case 'catalog.taken': {
      const { catalog, setup, kept = [] } = event
      return { ...state, opening: state.opening && { ...state.opening, catalog, setup, kept } }
    }
    case 'policy.changed':
      return { ...state, policy: event.policy, policySince: seq }
    case 'source.opened':
    case 'source.synced':
    case 'source.kept':
    case 'source.closed':
    case 'source.accepted':
      return evolveSources(state, { seq, cause, event })
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
        ...memoryBaseline(state, seq),
        callsThisTurn: NO_CALLS,
        confirmations: state.confirmations.filter(({ consent }) => consent !== 'denied'),
        searches: [],
        flaps: [],
        controls: NO_CONTROLS,
      }
    case 'step.begun': {
      const { step, strategy, exposed, sections, cost = null, prompt = {} } = event
      const background = deliverBackgroundResults(state.background)
      const conversation = evolveConversation(state.conversation, event.conversation)
      const activeTools = event.activeTools ? { seq, names: event.activeTools } : null
      const sent = { strategy, exposed, activeTools, sections, conversation, cost, prompt }
      return { ...state, step, ...sent, compacted: null, background }
    }
    case 'session.compacted': {
      const { sections, rules, tokens, parts = [] } = event
      const { sent } = state.conversation
      return {
        ...state,
        ...memoryBaseline(state, seq),
        summarisedAt: seq,
        sections,
        rulesSent: rules,
        conversation: { sent, ours: [{ kind: 'summary', parts }] },
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
    case 'call.started':
    case 'call.ended':
      return evolveCalls(state, { seq, at, cause, event })
    case 'call.detached':
      return { ...state, background: detachCall(state.background, event, seq) }
    case 'confirmation.asked':
    case 'confirmation.approved':
    case 'confirmation.denied':
    case 'confirmation.expired':
      return { ...state, confirmations: evolveConfirmations(state, { seq, event }) }
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
    case 'session.imported':
      return withoutConsent(state)
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

/**
 * A fork has the state of its original, except what may take effect only once: approvals for the
 * session, and waiting intents, belong to the original.
 */
function evolveFork(state: WorkspaceState, { session, from }: ForkEvent): WorkspaceState {
  const { opening } = state
  return {
    ...state,
    opening: opening === null ? null : { ...opening, session },
    forkedFrom: from,
    approvals: state.approvals.filter(({ scope }) => scope !== 'session'),
    intents: [],
  }
}

/**
 * Returns the state after some entries, from the empty state or from one that includes the entries
 * before. It is frozen at every depth: what it shares with the earlier state is not visited again.
 */
export function fold(entries: Iterable<Entry>, from: WorkspaceState = EMPTY_STATE): WorkspaceState {
  let state = from
  for (const entry of entries) state = evolve(state, entry)
  return deepFreeze(state)
}

/** Applies the conversation of one request; undefined for a host that does not show its history. */
function evolveConversation(
  { sent, ours }: ConversationState,
  change: ConversationChange | undefined,
): ConversationState {
  if (change === undefined) return sent === null ? { sent, ours } : { sent: null, ours }
  const { kept, lost = [], added = [] } = change
  const remaining = lost.length === 0 ? ours : ours.filter((_, index) => !lost.includes(index))
  return {
    sent: [...(sent ?? []).slice(0, kept), ...change.sent],
    ours: added.length === 0 ? remaining : [...remaining, ...added],
  }
}
