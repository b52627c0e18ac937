import { accepted, type Decision, refused, toolNameTaken, toolUnknown } from './decision.ts'
import { pinsAtOpening } from '../evolve/evolve-consent.ts'
import type { Command, Order, Refusal } from '../model/command.ts'
import type { EngineContext } from '../model/engine-context.ts'
import { type Claim, sameOwner } from '../model/source-event.ts'
import type { WorkspaceEvent } from '../model/workspace-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { assess } from '../standing/assess.ts'
import { type ClaimRequest, placeClaims } from '../standing/place-claims.ts'
import { pinsOf, toolChangedWarning } from '../standing/remembered-approval.ts'
import { canonicalJson } from '../../kernel/canonical-json.ts'
import type { JsonValue } from '../../kernel/json-value.ts'

type Register = Extract<Command, { type: 'source.register' }>

type Unregister = Extract<Command, { type: 'source.unregister' }>

/** Register a component with its first state, or global tools. */
export function decideRegistration(
  state: WorkspaceState,
  order: Order,
  { source, owner, tools, onConflict, replace, trusted, state: first }: Register,
  { agent }: EngineContext,
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
    .map(({ name }) => ({ type: 'warning.given', subject: name, ...toolChangedWarning(name) }))
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

type Update = Extract<Command, { type: 'component.update' }>

/** Replace a component's state, bounded in size because the entry carries it whole. */
export function decideComponentUpdate(
  state: WorkspaceState,
  order: Order,
  { component, state: next }: Update,
): Decision {
  if (!state.open.some(({ source, owner }) => source === 'component' && owner === component)) {
    return refused(order, component, {
      code: 'component-unknown',
      message: `No component "${component}" is registered.`,
      hint: 'Register it first.',
      facts: { component },
    })
  }
  const copy = statePlainCopy(next)
  if (copy === null) return refused(order, component, stateTooLarge(component))
  return accepted(order, { type: 'component.updated', component, ...copy })
}

/** The most one component's state may take, in characters of JSON: it goes into every entry. */
const COMPONENT_STATE_LIMIT = 65_536

/**
 * A copy of a component's state that nobody else holds, with nothing JSON would lose: what
 * replay will find. Null when it is too large.
 */
function statePlainCopy(state: JsonValue): { readonly state: JsonValue } | null {
  const text = canonicalJson(state)
  return text.length <= COMPONENT_STATE_LIMIT ? { state: JSON.parse(text) as JsonValue } : null
}

function stateTooLarge(component: string): Refusal {
  return {
    code: 'state-too-large',
    message: `The state of the component "${component}" is over ${COMPONENT_STATE_LIMIT} characters of JSON.`,
    hint: 'Keep large data in a service and only its name in the state.',
    facts: { component, limit: COMPONENT_STATE_LIMIT },
  }
}

type Switch = Extract<Command, { type: 'tool.switch' }>

/**
 * Switch a tool off, or on again, whoever owns it now or later. An address stands for its name,
 * unless another owner's tool goes by that name.
 */
export function decideToolSwitch(
  state: WorkspaceState,
  order: Order,
  { tool: address, enabled }: Switch,
  context: EngineContext,
): Decision {
  const known = assess(state, context, address)
  const tool = known.kind === 'registered' ? known.row.claim.name : known.name
  const off = state.disabled.some((one) => one.tool === tool)
  if (known.kind === 'unknown' && !off) {
    return refused(order, address, toolUnknown(address, known.nearest))
  }
  if (known.kind === 'registered' && known.status === 'shadowed') {
    return refused(order, address, {
      code: 'shadowed',
      message: `"${address}" is shadowed, and "${tool}" is another owner's tool.`,
      hint: `Switches go by name: say "${tool}" to switch whoever has it.`,
      facts: { tool: address, name: tool },
    })
  }
  return off === !enabled
    ? { kind: 'accepted', drafts: [] }
    : accepted(order, { type: 'tool.switched', tool, enabled })
}
