import { consentAfterAcceptance, pinsAtOpening } from './evolve-consent.ts'
import { currentTurn } from '../standing/current-turn.ts'
import type { Entry } from '../model/event.ts'
import { usesOf } from '../standing/lifetime-end.ts'
import type { WorkspaceState } from '../model/state.ts'
import { sameOwner } from '../model/same-owner.ts'
import { givingUp, reopened } from './source-claims.ts'
import type { SourceEvent } from '../model/source-event.ts'
import type { OpenSource } from '../model/source-state.ts'

/** What an entry about an owner of tools leaves. Pure and total. */
export function evolveSources(
  state: WorkspaceState,
  { seq, cause, event }: Pick<Entry, 'seq' | 'cause'> & { readonly event: SourceEvent },
): WorkspaceState {
  switch (event.type) {
    case 'source.opened': {
      const { source, owner, definition, lifetime, requested } = event
      const claims = event.claims.map((claim) => ({ ...claim, since: seq }))
      const known = state.open.find((one) => sameOwner(one, event))
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
        closed: state.closed.filter((one) => !sameOwner(one, event)),
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
      const gone = (one: OpenSource) => sameOwner(one, event)
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
          ...state.closed.filter((one) => !sameOwner(one, event)),
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
  }
}

/** Skills of one turn whose coming and going is counted: more than anyone equips in it. */
const MOST_FLAPS = 20

function flapped(flaps: WorkspaceState['flaps'], skill: string): WorkspaceState['flaps'] {
  const times = (flaps.find((one) => one.skill === skill)?.times ?? 0) + 1
  return [...flaps.filter((one) => one.skill !== skill), { skill, times }].slice(-MOST_FLAPS)
}
