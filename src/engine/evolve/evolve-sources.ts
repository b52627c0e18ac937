import { withoutConfirmations } from '../model/consent-event.ts'
import { consentAfterAcceptance, pinsAtOpening } from './evolve-consent.ts'
import {
  currentTurn,
  type GoneTool,
  type OpenClaim,
  type OpenSource,
  sameOwner,
  type SourceEvent,
} from '../model/source-event.ts'
import type { Entry, EventOf } from '../model/workspace-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import type { OpenLifetime } from '../../skills/definition/lifetime.ts'

/** Applies an entry about an owner of tools. Pure and total. */
export function evolveSources(
  state: WorkspaceState,
  { seq, cause, event }: Pick<Entry, 'seq' | 'cause'> & { readonly event: SourceEvent },
): WorkspaceState {
  switch (event.type) {
    case 'source.opened': {
      const { source, owner, definition, lifetime, requested } = event
      const claims = event.claims.map((claim) => ({ ...claim, since: seq }))
      const known = state.open.find((one) => sameOwner(one, event))
      const usesLeft = usesAllowed(lifetime)
      const turn = currentTurn(state)
      const given = event.arguments === undefined ? {} : { arguments: event.arguments }
      const lacks = event.lacks === undefined ? {} : { lacks: event.lacks }
      const terms = { lifetime, usesLeft, requested, turn, lastTurn: turn, ...given, ...lacks }
      const opened: OpenSource = known
        ? reopened(known, claims)
        : { source, owner, definition, claims, ...terms, since: seq, cause }
      return {
        ...state,
        open: known
          ? state.open.map((one) => (one === known ? opened : one))
          : state.open.concat(opened),
        closed: state.closed.filter((one) => !sameOwner(one, event)),
        pins: pinsAtOpening(state, event, seq),
        ...withoutConfirmations(state, ({ id }) => id === event.confirmation),
      }
    }
    case 'source.synced': {
      const known = state.open.find((one) => sameOwner(one, event))
      const synced = syncedSource(known, state, event, { seq, cause })
      return {
        ...state,
        open: known
          ? state.open.map((one) => (one === known ? synced : one))
          : state.open.concat(synced),
        closed: state.closed.filter((one) => !sameOwner(one, event)),
        pins: pinsAtOpening(state, event, seq),
      }
    }
    case 'source.kept': {
      const { owner, requested, lifetime } = event
      const turn = currentTurn(state)
      const given = event.arguments === undefined ? {} : { arguments: event.arguments }
      const usesLeft = usesAllowed(lifetime)
      const terms = { requested, lifetime, usesLeft, turn, lastTurn: turn, ...given }
      return {
        ...state,
        open: state.open.map((one) =>
          one.source === 'skill' && one.owner === owner ? { ...one, ...terms } : one,
        ),
      }
    }
    case 'source.closed': {
      const { source, owner, names } = event
      const leaving = state.open.find((one) => sameOwner(one, event))
      if (names !== null) {
        return {
          ...state,
          open: state.open.map((one) => (one === leaving ? withoutNames(one, names) : one)),
        }
      }
      const gone =
        source === 'server' && leaving ? { gone: goneOf(leaving, leaving.claims, seq) } : {}
      return {
        ...state,
        open: state.open.filter((one) => one !== leaving),
        closed: [
          ...state.closed.filter((one) => !sameOwner(one, event)),
          { source, owner, seq, cause, ...gone },
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
  }
}

/**
 * Skills of one turn whose deactivations are counted: more than a session normally uses in a turn.
 */
const MOST_FLAPS = 20

function flapped(flaps: WorkspaceState['flaps'], skill: string): WorkspaceState['flaps'] {
  const times = (flaps.find((one) => one.skill === skill)?.times ?? 0) + 1
  return [...flaps.filter((one) => one.skill !== skill), { skill, times }].slice(-MOST_FLAPS)
}

/** Adds claims to an open source. Names it had given up, or dropped, count as its own again. */
function reopened(known: OpenSource, claims: readonly OpenClaim[]): OpenSource {
  const { givenUp, gone } = known
  const back = new Set(claims.map(({ name }) => name))
  return {
    ...known,
    claims: [...without(known.claims, claims), ...claims],
    ...(givenUp && { givenUp: givenUp.filter((name) => !back.has(name)) }),
    ...(gone && { gone: gone.filter(({ name }) => !back.has(name)) }),
  }
}

/** Returns an owner after it listed all its tools. Claims that stay are the same objects: they keep their handlers. */
function syncedSource(
  known: OpenSource | undefined,
  state: WorkspaceState,
  { source, owner, claims, removed, bringer, instructions, leftOut }: EventOf<'source.synced'>,
  { seq, cause }: Pick<Entry, 'seq' | 'cause'>,
): OpenSource {
  const turn = currentTurn(state)
  const opened: OpenSource = known ?? {
    source,
    owner,
    definition: null,
    claims: [],
    lifetime: 'session',
    usesLeft: null,
    requested: true,
    turn,
    lastTurn: turn,
    since: seq,
    cause,
  }
  const before = known ?? state.closed.find((one) => sameOwner(one, { source, owner })) ?? {}
  const left = new Set(removed)
  const replaced = new Set(claims.map(({ definedAs }) => definedAs))
  const gone = goneOf(
    before,
    opened.claims.filter(({ definedAs }) => left.has(definedAs)),
    seq,
  ).filter(({ definedAs }) => !replaced.has(definedAs))
  const { gone: _, bringer: __, instructions: earlier, ...rest } = opened
  const text = instructions ?? earlier ?? ''
  return {
    ...rest,
    claims: [
      ...opened.claims.filter(({ definedAs }) => !left.has(definedAs) && !replaced.has(definedAs)),
      ...claims.map((claim) => ({ ...claim, since: seq })),
    ],
    ...(gone.length > 0 && { gone }),
    ...(bringer !== undefined && { bringer }),
    ...(text !== '' && { instructions: text }),
    ...(leftOut && { leftOut: { seq, tools: leftOut } }),
  }
}

/** Tools that left, of one owner: the oldest are then unknown names again. */
const MOST_GONE = 1_000

/** Adds claims to the tools that an owner dropped before. */
function goneOf(
  { gone = [] }: { readonly gone?: readonly GoneTool[] },
  claims: readonly OpenClaim[],
  seq: number,
): readonly GoneTool[] {
  const left = new Map(claims.map(({ name, definedAs }) => [name, { name, definedAs, seq }]))
  const before = gone.filter(({ name }) => !left.has(name))
  return [...before, ...left.values()].slice(-MOST_GONE)
}

/** Removes some names of a source, which does not register them again by itself. */
function withoutNames(source: OpenSource, names: readonly string[]): OpenSource {
  const given = new Set(names)
  const claims = source.claims.filter(({ name }) => !given.has(name))
  return { ...source, claims, givenUp: [...new Set([...(source.givenUp ?? []), ...given])] }
}

/** Returns the claims that others of the same name and version do not replace. */
function without(claims: readonly OpenClaim[], others: readonly OpenClaim[]): readonly OpenClaim[] {
  const replaced = new Set(others.map(({ definedAs, version }) => `${definedAs}@${version}`))
  return claims.filter(({ definedAs, version }) => !replaced.has(`${definedAs}@${version}`))
}

/** Returns the calls that a lifetime allows; null when it does not count calls. */
function usesAllowed(lifetime: OpenLifetime): number | null {
  return typeof lifetime === 'object' && 'uses' in lifetime ? lifetime.uses : null
}
