import {
  accepted,
  type Decision,
  refused,
  takenTools,
  toolNameTaken,
  toolUnknown,
  UNCHANGED,
} from './decision.ts'
import { pinsAtOpening } from '../evolve/evolve-consent.ts'
import type { CommandOf, Order, Refusal } from '../model/command.ts'
import type { EngineContext } from '../model/engine-context.ts'
import { type Claim, type OpenSource, sameOwner, type SyncedSource } from '../model/source-event.ts'
import type { WorkspaceEvent } from '../model/workspace-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { assess } from '../standing/assess.ts'
import { claimOn, type ClaimRequest, type Clash, placeClaims } from '../standing/place-claims.ts'
import { pinsOf, toolChangedWarning } from '../standing/remembered-approval.ts'
import { toolFindings } from '../../catalog/create/tool-findings.ts'
import { canonicalJson } from '../../kernel/canonical-json.ts'
import type { JsonValue } from '../../kernel/json-value.ts'
import type { Tool } from '../../tools/definition/tool.ts'

/** Registers a component with its first state, or global tools. */
export function decideRegistration(
  state: WorkspaceState,
  order: Order,
  command: CommandOf<'source.register'>,
  context: EngineContext,
): Decision {
  const { source, owner, onConflict, replace = false, trusted, state: first } = command
  // The tools of a component are all its tools.
  const isOpen = state.open.some((one) => sameOwner(one, command))
  if (source === 'component' && replace && isOpen) {
    return decideSync(state, order, { ...command, source }, context)
  }
  const { agent } = context
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
  const changed = quarantinedAmong(placed.claims, { source, owner }, state)
  const warnings: readonly WorkspaceEvent[] = [
    ...changed.map((name) => ({
      type: 'warning.given' as const,
      subject: name,
      ...toolChangedWarning(name),
    })),
    ...toolWarnings(command.tools, context),
  ]
  const known = state.components.some(({ key }) => key === owner)
  return copy === undefined || known
    ? accepted(order, opened, ...warnings)
    : accepted(order, opened, ...warnings, { type: 'component.updated', component: owner, ...copy })
}

/** Returns the names of the tools whose definition is not the one that was agreed to. */
export function quarantinedAmong(
  claims: readonly Claim[],
  owner: Pick<ClaimRequest, 'source' | 'owner'>,
  { pins, approvals }: WorkspaceState,
): readonly string[] {
  const then = pinsAtOpening({ pins, approvals }, { ...owner, claims }, 0)
  const pinned = pinsOf(owner, claims, then)
  return claims
    .filter(({ definedAs, hash }) => pinned.get(definedAs)?.hashes.includes(hash) === false)
    .map(({ name }) => name)
}

/** Warnings about parts of tools without an effect. The catalog has findings about its own tools. */
function toolWarnings(
  tools: readonly Tool[],
  { catalog }: Pick<EngineContext, 'catalog'>,
): readonly WorkspaceEvent[] {
  return tools.flatMap((tool) => {
    // Most tools have none, and a large catalog is searched only for those that do.
    const findings = toolFindings(tool)
    if (findings.length === 0 || catalog.toolsByHash.has(tool.hash)) return []
    return findings.map(({ code, message, hint }) => ({
      type: 'warning.given' as const,
      code,
      subject: tool.name,
      message,
      hint,
    }))
  })
}

/** The list of all tools of an owner. */
type ToolList = Pick<
  CommandOf<'source.sync'>,
  'owner' | 'tools' | 'onConflict' | 'trusted' | 'instructions' | 'leftOut'
> & {
  readonly source: SyncedSource
}

/**
 * Replaces all tools of an owner by those that it lists now, in one entry. The claims of a tool whose
 * definition is the same stay unchanged, and a list without a difference leaves no entry.
 */
export function decideSync(
  state: WorkspaceState,
  order: Order,
  list: ToolList,
  context: EngineContext,
): Decision {
  const { source, owner } = list
  const known = state.open.find((one) => sameOwner(one, list))
  const placed = placeListed(list, known, state, context)
  if (!placed.ok) return refused(order, owner, toolNameTaken(owner, placed))
  const before = Map.groupBy(known?.claims ?? [], ({ definedAs }) => definedAs)
  const now = Map.groupBy(placed.claims, ({ definedAs }) => definedAs)
  const removed = [...before.keys()].filter((name) => !now.has(name))
  const claims = [...now].flatMap(([name, ones]) =>
    isSameList(ones, before.get(name) ?? []) ? [] : ones,
  )
  // A server that a skill brings stays with that skill, unless the host attaches it.
  const bringer = order.cause.by === 'server' ? known?.bringer : undefined
  const isKept = known?.bringer === bringer
  const text = context.redactor?.text(list.instructions ?? '') ?? list.instructions ?? ''
  const isSameText = text === (known?.instructions ?? '')
  const leftOut = [...(list.leftOut ?? []), ...takenTools(owner, placed.taken)]
  const isSameRest = canonicalJson(leftOut) === canonicalJson(known?.leftOut?.tools ?? [])
  const isSame = isKept && isSameText && isSameRest
  if (known && isSame && claims.length + removed.length === 0) return UNCHANGED
  const changed = claims.filter(({ definedAs }) => before.has(definedAs)).map(({ name }) => name)
  const quarantined = quarantinedAmong(claims, { source, owner }, state)
  const fresh = new Set(claims.map(({ hash }) => hash))
  return accepted(
    order,
    {
      type: 'source.synced',
      source,
      owner,
      claims,
      changed,
      quarantined,
      removed,
      ...(bringer !== undefined && { bringer }),
      ...(!isSameText && { instructions: text }),
      ...(!isSameRest && { leftOut }),
    },
    ...toolWarnings(
      list.tools.filter(({ hash }) => fresh.has(hash)),
      context,
    ),
  )
}

/** Gives each listed tool its name. A tool that the owner had before keeps its name. */
function placeListed(
  list: ToolList,
  known: OpenSource | undefined,
  { open }: WorkspaceState,
  { agent }: EngineContext,
): ReturnType<typeof placeClaims> {
  const { onConflict } = list
  const all = [...new Map(list.tools.map((tool) => [tool.hash, tool])).values()]
  const versions = Map.groupBy(all, ({ name, version }) => `${name}@${version}`)
  const twice = [...versions.values()].flatMap(([, ...others]) => others)
  const skipsTaken = list.source === 'server'
  const clashes = twice.map(({ name }): Clash => ({ ok: false, name, holder: list, meta: false }))
  if (clashes[0] && !skipsTaken) return clashes[0]
  const left = new Set(twice)
  const tools = all.filter((tool) => !left.has(tool))
  const held = new Map(known?.claims.map((claim) => [claim.definedAs, claim]))
  const kept: Claim[] = []
  const added: Tool[] = []
  for (const tool of tools) {
    const claim = held.get(tool.name)
    if (claim && (onConflict === 'refuse' || onConflict === claim.onConflict)) {
      kept.push(claimOn(claim.name, tool, claim.onConflict, list))
    } else added.push(tool)
  }
  const claims = kept.map((claim) => ({ ...claim, since: 0 }))
  const others = open.map((one) => (one === known ? { ...one, claims } : one))
  const request = { ...list, skipsTaken, tools: added.map((tool) => ({ tool })) }
  const placed = placeClaims(request, others, agent)
  if (!placed.ok) return placed
  return { ok: true, claims: [...kept, ...placed.claims], taken: [...clashes, ...placed.taken] }
}

/** Returns true when an owner has the same claims as before on one name, in any order. */
function isSameList(now: readonly Claim[], before: readonly Claim[]): boolean {
  return (
    now.length === before.length && now.every((one) => before.some((other) => isSame(one, other)))
  )
}

function isSame(one: Claim, other: Claim): boolean {
  return (
    one.hash === other.hash &&
    one.name === other.name &&
    one.nameOnServer === other.nameOnServer &&
    one.onConflict === other.onConflict &&
    one.bound === other.bound &&
    one.trusted === other.trusted
  )
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

/**
 * Decides to take another catalog, which may have a skill more or less that belongs to this session alone. A skill that
 * the host does not trust takes the place of no skill that it trusts.
 */
export function decideCatalog(
  { opening, registered }: WorkspaceState,
  order: Order,
  { catalog, setup, kept, registers = [], unregisters }: CommandOf<'catalog.take'>,
): Decision {
  const events: WorkspaceEvent[] = []
  for (const { skill, definition, trusted, inCatalog } of registers) {
    const known = registered.find((one) => one.skill === skill)
    if (known?.definition === definition && known.trusted === trusted) continue
    const isTaken = inCatalog !== null && inCatalog !== definition
    if (!trusted && (isTaken || known?.trusted === true)) {
      return refused(order, skill, {
        code: 'skill-name-taken',
        message: `The name "${skill}" belongs to ${known ? 'a skill that the host registered' : 'a skill of the catalog'}.`,
        hint: 'Give the skill another name. A skill that the host trusts may replace it: registerSkill(skill, { trusted: true }).',
        facts: { skill },
      })
    }
    events.push({ type: 'skill.registered', skill, definition, ...(!trusted && { trusted }) })
  }
  if (unregisters !== undefined) {
    if (registered.every(({ skill }) => skill !== unregisters)) {
      return refused(order, unregisters, {
        code: 'skill-unknown',
        message: `No skill "${unregisters}" is registered in this session.`,
        hint: 'Skills of the catalog leave it with takeCatalog.',
        facts: { skill: unregisters, known: registered.map(({ skill }) => skill) },
      })
    }
    events.push({ type: 'skill.unregistered', skill: unregisters })
  }
  const isSame =
    opening?.catalog === catalog &&
    opening.setup === setup &&
    canonicalJson(opening.kept) === canonicalJson(kept)
  if (!isSame) {
    const taken = { type: 'catalog.taken', catalog, setup } as const
    events.push(kept.length === 0 ? taken : { ...taken, kept })
  }
  return events.length === 0 ? UNCHANGED : accepted(order, ...events)
}
