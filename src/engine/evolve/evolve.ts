import { deliverBackgroundResults, detachCall } from './end-in-background.ts'
import { withoutConfirmations } from '../model/consent-event.ts'
import {
  beginRequest,
  evolveAnswer,
  beginTurnCalls,
  evolveCalls,
  evolveStepCalls,
  waitForClient,
} from './evolve-calls.ts'
import {
  evolveConfirmations,
  evolveConsent,
  eventWithoutConsent,
  withoutConsent,
} from './evolve-consent.ts'
import { evolveDiscovery } from './evolve-discovery.ts'
import { evolveIntents } from './evolve-intents.ts'
import { evolveConversation, evolveReported } from './evolve-conversation.ts'
import { evolveFacts, memoryBaseline } from './evolve-memory.ts'
import { evolveSources } from './evolve-sources.ts'
import { NO_CALLS } from '../model/call-event.ts'
import { NO_CONTROLS } from '../model/intent-event.ts'
import type { Entry, EventOf, EventType, ForkEvent } from '../model/workspace-event.ts'
import type { ChildEvent, ChildSession, ChildState } from '../model/child-event.ts'
import { addSpending, NO_SPENDING, spendingOf } from '../model/step-cost.ts'
import { EMPTY_STATE, type WorkspaceState } from '../model/workspace-state.ts'
import { deepFreeze } from '../../kernel/json-value.ts'

const NONE = { sameCalls: [], emptyCalls: [] } satisfies Partial<WorkspaceState>

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
export function evolve(before: WorkspaceState, entry: Entry): WorkspaceState {
  if (entry.unsealed === true) return evolveUnsealed(before, entry)
  const { seq, at, cause, event } = entry
  const { sameCalls, emptyCalls } = CHANGES.has(event.type) ? NONE : before
  const latestAt = Math.max(before.latestAt, at)
  const state: WorkspaceState = { ...before, seq, latestAt, sameCalls, emptyCalls }
  switch (event.type) {
    case 'session.opened': {
      const { session, agent, catalog, setup = null, tokenizer, principal, policy } = event
      const { parent = null, asOf: policyAsOf, observed } = event
      const about = { session, agent, catalog, setup, kept: [], tokenizer, principal, parent }
      return {
        ...state,
        opening: { ...about, ...(observed && { observed }) },
        policy,
        policySince: seq,
        ...(policyAsOf && { policyAsOf }),
      }
    }
    case 'catalog.taken': {
      const { catalog, setup, kept = [] } = event
      return { ...state, opening: state.opening && { ...state.opening, catalog, setup, kept } }
    }
    case 'skill.registered': {
      const { skill, definition, trusted = true } = event
      const it = { skill, definition, trusted, since: seq, cause }
      const at = state.registered.findIndex((one) => one.skill === skill)
      const registered = at < 0 ? [...state.registered, it] : state.registered.with(at, it)
      return { ...state, registered }
    }
    case 'skill.unregistered':
      return { ...state, registered: state.registered.filter(({ skill }) => skill !== event.skill) }
    case 'policy.changed': {
      const facts = evolveFacts(state, event, seq)
      return { ...state, ...changedPolicy(state, event), policySince: seq, facts }
    }
    case 'fact.noted':
      return { ...state, facts: evolveFacts(state, event, seq) }
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
        // A child takes the answer to its question over from here.
        answers: state.answers.filter(
          ({ consent, child }) => consent !== 'denied' || child !== undefined,
        ),
        searches: [],
        flaps: [],
        controls: NO_CONTROLS,
        ...beginTurnCalls(state, seq),
      }
    case 'step.begun': {
      const { step, strategy, exposed, sections, cost = null, prompt = {} } = event
      const background = deliverBackgroundResults(state.background)
      const conversation = evolveConversation(state.conversation, event.conversation)
      const activeTools = event.activeTools ? { seq, names: event.activeTools } : null
      const sent = { strategy, exposed, activeTools, sections, conversation, cost, prompt }
      const spent = addSpending(state.spent, spendingOf(event.cost))
      const calls = beginRequest(state, seq, event, conversation.history)
      const reported = evolveReported(state.reported, { at, event })
      return { ...state, step, ...sent, spent, compacted: null, background, ...calls, reported }
    }
    case 'step.answered':
    case 'step.repeated':
      return evolveAnswer(state, seq, event)
    case 'step.reported':
      return { ...state, reported: evolveReported(state.reported, { at, event }) }
    case 'session.compacted': {
      const { sections, rules, tokens, parts = [] } = event
      const { sent } = state.conversation
      return {
        ...state,
        ...memoryBaseline(state, seq),
        summarisedAt: seq,
        sections,
        rulesSent: rules,
        conversation: { sent, ours: [{ kind: 'summary', parts }], history: null },
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
      return evolveStepCalls(evolveCalls(state, { seq, at, cause, event }), { seq, event })
    case 'call.detached': {
      const detached =
        event.client === true
          ? waitForClient(state, event)
          : { ...state, background: detachCall(state.background, event, seq) }
      return evolveStepCalls(detached, { seq, event })
    }
    case 'confirmation.asked':
    case 'confirmation.approved':
    case 'confirmation.denied':
    case 'confirmation.expired':
      return { ...state, ...evolveConfirmations(state, { seq, event }) }
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
      return evolveConsent(state, { seq, event })
    case 'call.abandoned':
      return evolveStepCalls(evolveConsent(state, { seq, event }), { seq, event })
    case 'tool_discovery_start':
    case 'tool_discovery_result':
    case 'tools_enabled':
    case 'tools_evicted':
    case 'rules.sent':
      return evolveDiscovery(state, { seq, at, cause, event })
    case 'child.opened':
    case 'child.ended':
    case 'child.called':
      return { ...state, ...evolveChildren(state, event) }
    case 'session.forked':
      return evolveFork(state, event)
    case 'session.imported':
      return withoutConsent(state)
    case 'turn.ended':
    case 'intent.taken':
    case 'intent.applied':
    case 'intent.failed':
      return evolveIntents(state, event)
    case 'call.retried':
    case 'warning.given':
      return evolveStepCalls(state, { seq, event })
    case 'metrics.reset':
    case 'extraction.drifted':
    case 'command.refused':
    case 'activation.failed':
      return state
  }
}

/** Applies an entry that another user wrote, without what it allows. */
function evolveUnsealed(before: WorkspaceState, given: Entry): WorkspaceState {
  const { unsealed: _, ...entry } = given
  const { seq, at } = entry
  const event = eventWithoutConsent(entry.event)
  const after =
    event === null
      ? { ...before, seq, latestAt: Math.max(before.latestAt, at) }
      : evolve(before, { ...entry, event })
  if (entry.event.type !== 'call.started') return after
  // Consent that a process used is used up.
  const { confirmation } = entry.event
  return { ...after, ...withoutConfirmations(after, ({ id }) => id === confirmation) }
}

/** A process from which the consent of the session is withheld changes the other members only. */
function changedPolicy(
  { policy: before }: WorkspaceState,
  { policy, asOf: policyAsOf }: EventOf<'policy.changed'>,
): Pick<WorkspaceState, 'policy' | 'policyAsOf'> {
  const known = policyAsOf === undefined ? {} : { policyAsOf }
  if (policy.withheld !== true) return { policy, ...known }
  const { allow } = before
  const allowedTools = policy.allowedTools === 'restrict' ? 'restrict' : before.allowedTools
  return { policy: { ...policy, allow, allowedTools }, ...known }
}

/**
 * A fork has the state of its original, except what may take effect only once: approvals for the
 * session, waiting intents and open children belong to the original.
 */
function evolveFork(state: WorkspaceState, { session, from }: ForkEvent): WorkspaceState {
  const { opening } = state
  return {
    ...state,
    opening: opening === null ? null : { ...opening, session },
    forkedFrom: from,
    approvals: state.approvals.filter(({ scope }) => scope !== 'session'),
    intents: [],
    children: state.children.map((one) => ({ ...one, isOpen: false })),
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

/** Returns the state after some entries for all users: with what each of them allowed. */
export function foldRecorded(entries: readonly Entry[]): WorkspaceState {
  return fold(
    entries.map((given) => {
      const { unsealed: _, ...entry } = given
      return entry
    }),
  )
}

/** Children that have ended and are still listed. */
const MOST_ENDED = 20

/** Calls of children that are kept, so that one that is made again counts once. */
const MOST_CALLS_OF_CHILDREN = 100

/** Applies an entry about a child session. Pure and total. */
function evolveChildren(
  state: WorkspaceState,
  event: ChildEvent,
): Pick<WorkspaceState, keyof ChildState | 'callsThisTurn' | 'callsInSession'> {
  const { children, spent, spentByChildren, callsOfChildren, callsThisTurn, callsInSession } = state
  const same = { children, spent, spentByChildren, callsOfChildren, callsThisTurn, callsInSession }
  const known = children.find(({ session }) => session === event.child)
  switch (event.type) {
    case 'child.opened': {
      const { child: session, agent, call, before } = event
      const [isOpen, spentBefore] = [true, known?.spent ?? NO_SPENDING]
      const opened = { session, agent, call, isOpen, since: state.seq, before, spent: spentBefore }
      return { ...same, children: [...children.filter((one) => one !== known), opened] }
    }
    case 'child.ended': {
      const ended = (one: ChildSession): ChildSession =>
        one === known ? { ...one, isOpen: false, spent: addSpending(one.spent, event.spent) } : one
      return {
        ...same,
        children: withoutOldest(children.map(ended)),
        spentByChildren: addSpending(spentByChildren, event.spent),
      }
    }
    case 'child.called':
      return {
        ...same,
        callsThisTurn: {
          ...callsThisTurn,
          [event.category]: callsThisTurn[event.category] + 1,
        },
        callsInSession: callsInSession + 1,
        callsOfChildren: [
          ...callsOfChildren,
          ...(event.made === undefined ? [] : [event.made]),
        ].slice(-MOST_CALLS_OF_CHILDREN),
      }
  }
}

function withoutOldest(children: ChildState['children']): ChildState['children'] {
  const ended = children.filter(({ isOpen }) => !isOpen)
  const dropped = new Set(ended.slice(0, Math.max(0, ended.length - MOST_ENDED)))
  return dropped.size === 0 ? children : children.filter((one) => !dropped.has(one))
}
