import {
  accepted,
  type Decision,
  refused,
  toolNameTaken,
  toolUnknown,
  UNCHANGED,
} from './decision.ts'
import { pinsAtOpening } from '../evolve/evolve-consent.ts'
import type { CommandOf, Order, Refusal } from '../model/command.ts'
import type { EngineContext } from '../model/engine-context.ts'
import { type Claim, sameOwner } from '../model/source-event.ts'
import type { WorkspaceEvent } from '../model/workspace-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { assess } from '../standing/assess.ts'
import { type ClaimRequest, placeClaims } from '../standing/place-claims.ts'
import { pinsOf, toolChangedWarning } from '../standing/remembered-approval.ts'
import { checkToolPatterns } from '../../catalog/create/check-tool-patterns.ts'
import { canonicalJson } from '../../kernel/canonical-json.ts'
import type { JsonValue } from '../../kernel/json-value.ts'
import type { Tool } from '../../tools/definition/tool.ts'

/** Registers a component with its first state, or global tools. */
export function decideRegistration(
  state: WorkspaceState,
  order: Order,
  command: CommandOf<'source.register'>,
  { agent, catalog }: EngineContext,
): Decision {
  const { source, owner, onConflict, replace = false, trusted, state: first } = command
  const tools = command.tools.map((tool) => ({ tool }))
  const request = { source, owner, tools, onConflict, replace, trusted }
  const placed = placeClaims(request, state.open, agent)
  if (!placed.ok) return refused(order, owner, toolNameTaken(owner, placed))
  const copy = first === undefined ? undefined : plainCopy(first)
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
  // The catalog has findings about its own tools.
  const added = command.tools.filter(({ hash }) => !catalog.toolsByHash.has(hash))
  const warnings = [
    ...changedToolWarnings(state, { source, owner }, placed.claims),
    ...added.flatMap(uncheckedPatternWarnings),
  ]
  const known = state.components.some(({ key }) => key === owner)
  return copy === undefined || known
    ? accepted(order, opened, ...warnings)
    : accepted(order, opened, ...warnings, { type: 'component.updated', component: owner, ...copy })
}

/** A warning for each tool whose definition differs from the one that was agreed to. */
function changedToolWarnings(
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

function uncheckedPatternWarnings(tool: Tool): readonly WorkspaceEvent[] {
  return checkToolPatterns(tool).map(({ code, message, hint }) => ({
    type: 'warning.given',
    code,
    subject: tool.name,
    message,
    hint,
  }))
}

/** Unregisters a component, an owner's global tools, or one tool. */
export function decideUnregistration(
  state: WorkspaceState,
  order: Order,
  { source, owner, tool }: CommandOf<'source.unregister'>,
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

/** Replaces a component's state. Its size is limited, because the entry contains all of it. */
export function decideComponentUpdate(
  state: WorkspaceState,
  order: Order,
  { component, state: next }: CommandOf<'component.update'>,
): Decision {
  if (!state.open.some(({ source, owner }) => source === 'component' && owner === component)) {
    return refused(order, component, {
      code: 'component-unknown',
      message: `No component "${component}" is registered.`,
      hint: 'Register it first.',
      facts: { component },
    })
  }
  const copy = plainCopy(next)
  if (copy === null) return refused(order, component, stateTooLarge(component))
  return accepted(order, { type: 'component.updated', component, ...copy })
}

/** Characters of JSON that a component's state may have: each change is an entry with all of it. */
const COMPONENT_STATE_LIMIT = 65_536

/**
 * Returns a copy of a component's state as replay will read it, without anything that JSON cannot
 * represent. Null when it is too large.
 */
function plainCopy(state: JsonValue): { readonly state: JsonValue } | null {
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

/**
 * Switches a tool off, or on again, by its name: the switch applies to every owner of that name,
 * now and later. An address counts as its name, unless another owner's tool has that name.
 */
export function decideToolSwitch(
  state: WorkspaceState,
  order: Order,
  { tool: address, enabled }: CommandOf<'tool.switch'>,
  context: EngineContext,
): Decision {
  const assessment = assess(state, context, address)
  const tool = assessment.kind === 'registered' ? assessment.row.claim.name : assessment.name
  const isOff = state.disabled.some((one) => one.tool === tool)
  if (assessment.kind === 'unknown' && !isOff) {
    return refused(order, address, toolUnknown(address, assessment.nearest))
  }
  if (assessment.status === 'shadowed') {
    return refused(order, address, {
      code: 'shadowed',
      message: `"${address}" is shadowed: the name "${tool}" belongs to another owner's tool.`,
      hint: `Tools are switched by name. Use "${tool}" to switch the tool that has the name.`,
      facts: { tool: address, name: tool },
    })
  }
  return isOff === !enabled ? UNCHANGED : accepted(order, { type: 'tool.switched', tool, enabled })
}
