import type { Command, Order } from '../model/command.ts'
import { pinsAtOpening } from '../evolve/evolve-consent.ts'
import { pinsOf } from '../standing/pins-of.ts'
import { toolChanged } from '../standing/tool-changed.ts'
import { accepted, refused, type Decision } from './decision.ts'
import { sameOwner } from '../model/same-owner.ts'
import { placeClaims, type ClaimRequest } from '../standing/place-claims.ts'
import { toolNameTaken } from './refusals.ts'
import { statePlainCopy, stateTooLarge } from './state-size.ts'
import type { WorkspaceState } from '../model/state.ts'
import type { Surroundings } from '../model/surroundings.ts'
import type { Claim } from '../model/source-event.ts'
import type { WorkspaceEvent } from '../model/event.ts'

type Register = Extract<Command, { type: 'source.register' }>
type Unregister = Extract<Command, { type: 'source.unregister' }>

/** Register a component with its first state, or global tools. */
export function decideRegistration(
  state: WorkspaceState,
  order: Order,
  { source, owner, tools, onConflict, replace, trusted, state: first }: Register,
  { agent }: Surroundings,
): Decision {
  const placed = placeClaims(
    {
      source,
      owner,
      tools: tools.map((tool) => ({ tool })),
      onConflict,
      replace: replace ?? false,
      trusted,
    },
    state.open,
    agent,
  )
  if (!placed.ok) return refused(order, owner, toolNameTaken(owner, placed))
  const copy = first === undefined ? undefined : statePlainCopy(first)
  if (copy === null) return refused(order, owner, stateTooLarge(owner))
  const opened: WorkspaceEvent = {
    type: 'source.opened',
    source,
    owner,
    definition: null,
    claims: placed.claims,
    lifetime: 'session',
    requested: true,
  }
  const changed = changedTools(state, { source, owner }, placed.claims)
  const known = state.components.some(({ key }) => key === owner)
  return copy === undefined || known
    ? accepted(order, opened, ...changed)
    : accepted(order, opened, ...changed, { type: 'component.updated', component: owner, ...copy })
}

/** A warning for each tool that comes with a definition other than the one that was agreed to. */
function changedTools(
  { pins, approvals }: WorkspaceState,
  owner: Pick<ClaimRequest, 'source' | 'owner'>,
  claims: readonly Claim[],
): readonly WorkspaceEvent[] {
  const then = pinsAtOpening({ pins, approvals }, { ...owner, claims }, 0)
  const held = pinsOf(owner, claims, then)
  return claims
    .filter(({ definedAs, hash }) => held.get(definedAs)?.hashes.includes(hash) === false)
    .map(({ name }) => ({ type: 'warning.given', subject: name, ...toolChanged(name) }))
}

/** Take a component, an owner's global tools, or one of them away. */
export function decideUnregistration(
  state: WorkspaceState,
  order: Order,
  { source, owner, tool }: Unregister,
): Decision {
  const open = state.open.find((one) => sameOwner(one, { source, owner }))
  if (!open || (tool !== undefined && !open.claims.some(({ name }) => name === tool))) {
    return refused(order, tool ?? owner, {
      code: 'not-registered',
      message: `${source} "${owner}" has ${tool === undefined ? 'nothing' : `no tool "${tool}"`} registered.`,
      hint: 'List the tools to see what is registered.',
      facts: { source, owner, tool },
    })
  }
  const rest = open.claims.filter(({ name }) => name !== tool)
  const names = tool === undefined || rest.length === 0 ? null : [tool]
  return accepted(order, { type: 'source.closed', source, owner, names })
}
