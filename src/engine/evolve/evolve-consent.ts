import { endInBackground } from './end-in-background.ts'
import type { EndedBackgroundCall } from '../model/call-event.ts'
import {
  allConfirmations,
  type Approval,
  type ConfirmationEvent,
  type ConfirmationState,
  type ConsentEvent,
  type ConsentState,
  isSameTool,
  type Pin,
  type ToolIdentity,
  withoutConfirmations,
} from '../model/consent-event.ts'
import { withoutAllowing } from '../model/policy.ts'
import { type OpenSource, sameOwner } from '../model/source-event.ts'
import type { Entry, EventOf, WorkspaceEvent } from '../model/workspace-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { pinsOf } from '../standing/remembered-approval.ts'

/** Applies an entry about consent. Pure and total. */
export function evolveConsent(
  state: WorkspaceState,
  { seq, event }: Pick<Entry, 'seq'> & { readonly event: ConsentEvent },
): WorkspaceState {
  switch (event.type) {
    case 'approval.remembered':
    case 'approval.recalled': {
      const { source, owner, tool, hash } = event
      const scope = event.type === 'approval.recalled' ? 'digest' : event.scope
      const others = state.approvals.filter((one) => one.hash !== hash || !isSameTool(one, event))
      const approvals = [...others, { source, owner, tool, hash, scope, seq }]
      return { ...state, approvals, pins: pinnedBy(state, { source, owner, tool }, hash, seq) }
    }
    case 'approval.revoked': {
      const approvals = state.approvals.filter((one) => !isSameTool(one, event))
      return { ...state, approvals, pins: pinsInUse(state.pins, approvals) }
    }
    case 'tool.accepted': {
      const { source, owner, tool, hash } = event
      const known = pinOf(event, state.pins)
      const offered = hashesOf(state.open, event)
      const kept = known?.hashes.filter((one) => one !== hash && offered.includes(one)) ?? []
      const untrusted = known?.untrusted ?? false
      const pin: Pin = { source, owner, tool, hashes: [...kept, hash], untrusted, seq }
      return { ...state, ...consentFor(state, [...without(state.pins, event), pin]) }
    }
    case 'call.abandoned':
      return {
        ...state,
        calls: state.calls.filter(({ call }) => call !== event.call),
        background: endInBackground(state.background, abandonedCall(event, seq)),
        ...withoutConfirmations(state, ({ call }) => call === event.call),
      }
  }
}

/** Pins a tool to the approved version and to the other versions its owner offers now. */
function pinnedBy(
  { pins, open }: WorkspaceState,
  tool: ToolIdentity,
  hash: Pin['hashes'][number],
  seq: number,
): readonly Pin[] {
  if (pinOf(tool, pins) !== undefined) return pins
  const hashes = [...new Set([...hashesOf(open, tool), hash])]
  return [...pins, { ...tool, hashes, untrusted: false, seq }]
}

type Consent = Pick<ConsentState, 'approvals' | 'pins'>

/** Keeps the approvals of pinned definitions, and the pins that are still needed. */
function consentFor(
  { approvals: before }: Pick<ConsentState, 'approvals'>,
  pins: readonly Pin[],
): Consent {
  const approvals = before.filter((one) => pinOf(one, pins)?.hashes.includes(one.hash) ?? false)
  return { approvals, pins: pinsInUse(pins, approvals) }
}

function pinsInUse(pins: readonly Pin[], approvals: readonly Approval[]): readonly Pin[] {
  return pins.filter((pin) => pin.untrusted || approvals.some((one) => isSameTool(one, pin)))
}

function pinOf(tool: ToolIdentity, pins: readonly Pin[]): Pin | undefined {
  return pins.find((one) => isSameTool(one, tool))
}

function without(pins: readonly Pin[], tool: ToolIdentity): readonly Pin[] {
  return pins.filter((one) => !isSameTool(one, tool))
}

function hashesOf(open: readonly OpenSource[], tool: ToolIdentity): Pin['hashes'] {
  return open
    .filter((one) => sameOwner(one, tool))
    .flatMap(({ claims }) => claims.filter(({ definedAs }) => definedAs === tool.tool))
    .map(({ hash }) => hash)
}

/** The result of a background call that was abandoned. */
function abandonedCall(
  { call, tool }: EventOf<'call.abandoned'>,
  seq: number,
): EndedBackgroundCall {
  const message = 'The process that ran it is gone; nobody knows what it did.'
  return { call, tool, error: 'INTERNAL', result: { ok: false, message }, seq }
}

/** Pins the tools of an untrusted source to the definitions they have when first registered. */
export function pinsAtOpening(
  { pins, approvals }: Consent,
  { source, owner, claims }: Pick<EventOf<'source.opened'>, 'source' | 'owner' | 'claims'>,
  seq: number,
): readonly Pin[] {
  if (pins.length === 0 && claims.every(({ trusted }) => trusted !== false)) return pins
  const known = pinsOf({ source, owner }, claims, pins)
  const replaced = new Map<Pin, Pin | null>()
  const added: Pin[] = []
  for (const [tool, offered] of Map.groupBy(claims, ({ definedAs }) => definedAs)) {
    const untrusted = offered.some(({ trusted }) => trusted === false)
    const pin = known.get(tool)
    if (pin === undefined && untrusted) {
      const hashes = offered.map(({ hash }) => hash)
      added.push({ source, owner, tool, hashes, untrusted, seq })
    } else if (pin !== undefined && pin.untrusted !== untrusted) {
      const isNeeded = untrusted || approvals.some((one) => isSameTool(one, pin))
      replaced.set(pin, isNeeded ? { ...pin, untrusted } : null)
    }
  }
  if (replaced.size + added.length === 0) return pins
  const kept = pins.flatMap((pin) => {
    const now = replaced.get(pin)
    return now === undefined ? [pin] : (now ?? [])
  })
  return [...kept, ...added]
}

/**
 * Replaces the pins of a changed skill by the definitions a person accepted. Approvals of old ones
 * end.
 */
export function consentAfterAcceptance(
  { pins, approvals }: Consent,
  { owner, claims }: EventOf<'source.accepted'>,
): Consent {
  const isIts = (one: ToolIdentity) => one.source === 'skill' && one.owner === owner
  if (!pins.some(isIts)) return { pins, approvals }
  const accepted = pins.flatMap((pin) => {
    if (!isIts(pin)) return [pin]
    const hashes = claims.filter(({ definedAs }) => definedAs === pin.tool).map(({ hash }) => hash)
    return hashes.length === 0 ? [] : [{ ...pin, hashes }]
  })
  return consentFor({ approvals }, accepted)
}

/**
 * Returns an event without what it allows: null when nothing of it is left, and the same event when it allows nothing.
 * Denials stay.
 */
export function eventWithoutConsent(event: WorkspaceEvent): WorkspaceEvent | null {
  switch (event.type) {
    case 'session.opened':
    case 'policy.changed': {
      const { allow, allowedTools } = event.policy
      if (allow.length === 0 && allowedTools !== 'pre-approve') return event
      return { ...event, policy: { ...withoutAllowing(event.policy), withheld: true } }
    }
    case 'call.started':
      return event.confirmation === null ? event : { ...event, confirmation: null }
    case 'call.ended':
      return event.intents.length === 0 ? event : { ...event, intents: [] }
    case 'skill.registered':
      return event.trusted === false ? event : { ...event, trusted: false }
    case 'approval.remembered':
    case 'approval.recalled':
    case 'confirmation.approved':
    case 'tool.accepted':
    case 'source.accepted':
    // The calls of an answer are made without asking the model.
    case 'step.answered':
      return null
    case 'activation.failed':
    case 'approval.revoked':
    case 'call.abandoned':
    case 'call.detached':
    case 'call.retried':
    case 'catalog.taken':
    case 'child.called':
    case 'child.ended':
    case 'child.opened':
    case 'command.refused':
    case 'component.updated':
    case 'confirmation.asked':
    case 'confirmation.denied':
    case 'confirmation.expired':
    case 'extraction.drifted':
    case 'fact.noted':
    case 'intent.applied':
    case 'intent.failed':
    case 'intent.taken':
    case 'memory.summarised':
    case 'metrics.reset':
    case 'rules.sent':
    case 'step.reported':
    case 'session.compacted':
    case 'session.forked':
    case 'session.imported':
    case 'skill.broken':
    case 'skill.unregistered':
    case 'source.closed':
    case 'source.kept':
    case 'source.opened':
    case 'source.synced':
    case 'step.begun':
    case 'step.repeated':
    case 'tool.switched':
    case 'turn.begun':
    case 'turn.ended':
    case 'tool_discovery_result':
    case 'tool_discovery_start':
    case 'tools_enabled':
    case 'tools_evicted':
    case 'warning.given':
      return event
  }
}

function withoutAnswer(request: WorkspaceState['stepCalls']['requests'][number]) {
  const { answer: _, ...rest } = request
  return rest
}

/** Returns the state of an imported session without what its entries allow. Denials stay. */
export function withoutConsent(state: WorkspaceState): WorkspaceState {
  const { policy, seq, answers, pins, registered, stepCalls } = state
  const requests = stepCalls.requests.map((request) => withoutAnswer(request))
  return {
    ...state,
    policy: withoutAllowing(policy),
    policySince: seq,
    confirmations: [],
    answers: answers.filter(({ consent, child }) => consent === 'denied' && child === undefined),
    approvals: [],
    pins: pinsInUse(pins, []),
    intents: [],
    stepCalls: { ...stepCalls, requests },
    registered: registered.map((one) => ({ ...one, trusted: false })),
  }
}

/** Applies an entry about a confirmation. Pure and total. */
export function evolveConfirmations(
  state: ConfirmationState,
  { seq, event }: Pick<Entry, 'seq'> & { readonly event: ConfirmationEvent },
): ConfirmationState {
  const { confirmations, answers } = state
  switch (event.type) {
    case 'confirmation.asked': {
      const { type: _, ...asked } = event
      return { confirmations: [...confirmations, { ...asked, consent: 'pending', seq }], answers }
    }
    case 'confirmation.approved':
    case 'confirmation.denied': {
      const { type, id, ...given } = event
      const asked = allConfirmations(state).find((one) => one.id === id)
      if (asked === undefined) return state
      const others = withoutConfirmations(state, (one) => one === asked)
      const consent = type === 'confirmation.denied' ? 'denied' : 'approved'
      return { ...others, answers: [...others.answers, { ...asked, ...given, consent, seq }] }
    }
    case 'confirmation.expired':
      return withoutConfirmations(state, ({ id }) => id === event.id)
  }
}
