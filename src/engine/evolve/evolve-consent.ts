import { endInBackground } from './evolve-calls.ts'
import type { EndedBackgroundCall } from '../model/call-event.ts'
import {
  type Approval,
  type ConfirmationEvent,
  type ConfirmationState,
  type ConsentEvent,
  type ConsentState,
  isSameTool,
  type Pin,
  type ToolIdentity,
} from '../model/consent-event.ts'
import { type OpenSource, sameOwner } from '../model/source-event.ts'
import type { Entry, WorkspaceEvent } from '../model/workspace-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { pinsOf } from '../standing/remembered-approval.ts'

/** What an entry about consent leaves. Pure and total. */
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
      return { ...state, approvals, pins: held(state.pins, approvals) }
    }
    case 'tool.accepted': {
      const { source, owner, tool, hash } = event
      const known = pinOf(event, state.pins)
      const offered = hashesOf(state.open, event)
      const kept = known?.hashes.filter((one) => one !== hash && offered.includes(one)) ?? []
      const untrusted = known?.untrusted ?? false
      const pin: Pin = { source, owner, tool, hashes: [...kept, hash], untrusted, seq }
      return { ...state, ...agreed(state, [...without(state.pins, event), pin]) }
    }
    case 'call.abandoned':
      return {
        ...state,
        calls: state.calls.filter(({ call }) => call !== event.call),
        background: endInBackground(state.background, abandoned(event, seq)),
      }
  }
}

type Agreed = Pick<ConsentState, 'approvals' | 'pins'>

type SourceOpened = Extract<WorkspaceEvent, { type: 'source.opened' }>

/** Hold the tools of a source the host does not trust to what they are when they come first. */
export function pinsAtOpening(
  { pins, approvals }: Agreed,
  { source, owner, claims }: Pick<SourceOpened, 'source' | 'owner' | 'claims'>,
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
      const isHeld = untrusted || approvals.some((one) => isSameTool(one, pin))
      replaced.set(pin, isHeld ? { ...pin, untrusted } : null)
    }
  }
  if (replaced.size + added.length === 0) return pins
  const kept = pins.flatMap((pin) => {
    const now = replaced.get(pin)
    return now === undefined ? [pin] : (now ?? [])
  })
  return [...kept, ...added]
}

/** A person took a changed skill with all its tools: what was said of its old ones is over. */
export function consentAfterAcceptance(
  { pins, approvals }: Agreed,
  { owner, claims }: Extract<WorkspaceEvent, { type: 'source.accepted' }>,
): Agreed {
  const isIts = (one: ToolIdentity) => one.source === 'skill' && one.owner === owner
  if (!pins.some(isIts)) return { pins, approvals }
  const accepted = pins.flatMap((pin) => {
    if (!isIts(pin)) return [pin]
    const hashes = claims.filter(({ definedAs }) => definedAs === pin.tool).map(({ hash }) => hash)
    return hashes.length === 0 ? [] : [{ ...pin, hashes }]
  })
  return agreed({ approvals }, accepted)
}

/** What whoever waits for a background call is told. */
function abandoned(
  { call, tool }: Extract<ConsentEvent, { type: 'call.abandoned' }>,
  seq: number,
): EndedBackgroundCall {
  const message = 'The process that ran it is gone; nobody knows what it did.'
  return { call, tool, error: 'INTERNAL', result: { ok: false, message }, seq }
}

/** Approvals of definitions that are pinned, and the pins that something still holds. */
function agreed(
  { approvals: before }: Pick<ConsentState, 'approvals'>,
  pins: readonly Pin[],
): Agreed {
  const approvals = before.filter((one) => pinOf(one, pins)?.hashes.includes(one.hash) ?? false)
  return { approvals, pins: held(pins, approvals) }
}

function held(pins: readonly Pin[], approvals: readonly Approval[]): readonly Pin[] {
  return pins.filter((pin) => pin.untrusted || approvals.some((one) => isSameTool(one, pin)))
}

/** Whoever approves one version of a tool has no quarrel with those that were offered beside it. */
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

/** The confirmations after an entry about one. Pure and total. */
export function evolveConfirmations(
  { confirmations }: ConfirmationState,
  { seq, event }: Pick<Entry, 'seq'> & { readonly event: ConfirmationEvent },
): ConfirmationState['confirmations'] {
  switch (event.type) {
    case 'confirmation.asked': {
      const { type: _, ...asked } = event
      return [...confirmations, { ...asked, consent: 'pending', seq }]
    }
    case 'confirmation.approved':
    case 'confirmation.denied': {
      const consent = event.type === 'confirmation.approved' ? 'approved' : 'denied'
      return confirmations.map((one) => (one.id === event.id ? { ...one, consent, seq } : one))
    }
    case 'confirmation.expired':
      return confirmations.filter(({ id }) => id !== event.id)
  }
}
