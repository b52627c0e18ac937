import gt from 'semver/functions/gt.js'
import satisfies from 'semver/functions/satisfies.js'
import type { SkillTool } from '../../catalog/create/catalog.ts'
import type { Cause } from '../model/cause.ts'
import type { EngineContext } from '../model/engine-context.ts'
import {
  currentTurn,
  type Claim,
  isMeta,
  type OpenClaim,
  type OpenSource,
  sameOwner,
  type ToolSource,
} from '../model/source-event.ts'
import type { Draft } from '../model/workspace-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import type { ActivationPlan } from '../../skills/activation/plan-activation.ts'
import type { Agent } from '../../skills/definition/define-agent.ts'
import type { OpenLifetime } from '../../skills/definition/lifetime.ts'
import type { OnConflict } from '../../skills/definition/skill.ts'
import { parseToolReference } from '../../tools/definition/parse-tool-reference.ts'
import { isBound } from '../../tools/definition/make-tool.ts'
import type { Tool } from '../../tools/definition/tool.ts'

/** The tools an owner wants to register. */
export interface ClaimRequest {
  readonly source: ToolSource
  readonly owner: string
  readonly tools: readonly { readonly tool: Tool; readonly picked?: boolean }[]
  readonly onConflict: OnConflict
  /** The owner may replace its own definition of the same name and version. */
  readonly replace?: boolean
  readonly trusted?: false | undefined
  /** Tools whose names are taken are left out, so that the others are placed: the list of a server. */
  readonly skipsTaken?: boolean
}

/** A name that belongs to another tool, of another owner or of the same one. */
export interface Clash {
  readonly ok: false
  readonly name: string
  readonly holder: Pick<OpenSource, 'source' | 'owner'>
  /** The other tool is a meta-tool. */
  readonly meta: boolean
}

type ClaimPlacement =
  | {
      readonly ok: true
      readonly claims: readonly Claim[]
      /** The names that were skipped. */
      readonly taken: readonly Clash[]
    }
  | Clash

/** The events that open the skills of a plan, or the first clash of one of their tools. */
type SkillPlacement =
  | {
      readonly ok: true
      /** One for each skill that enters, in their order. */
      readonly opened: readonly Draft[]
      /** All sources that are open afterwards. */
      readonly open: readonly OpenSource[]
    }
  | {
      readonly ok: false
      readonly skill: string
      readonly clash: Clash
    }

/**
 * Places the tools of the skills that a plan activates, one skill after the other.
 *
 * @param terms the cause, the lifetime and the arguments for the skill that was asked for; by default its own
 *   lifetime
 */
export function placeSkills(
  { leave, enter }: Extract<ActivationPlan, { ok: true }>,
  terms: {
    readonly cause: Cause
    readonly lifetime?: OpenLifetime | undefined
    readonly arguments?: string | undefined
  },
  state: WorkspaceState,
  { catalog, agent }: EngineContext,
): SkillPlacement {
  const leaving = new Set(leave.map(({ skill }) => skill))
  const open = state.open.filter(({ source, owner }) => source !== 'skill' || !leaving.has(owner))
  const opened: Draft[] = []
  const turn = currentTurn(state)
  for (const { skill: owner, of } of enter) {
    const skill = catalog.skills.get(owner)
    const tools = catalog.skillTools.get(owner)?.filter(isOfSkill) ?? []
    const onConflict = skill?.onConflict ?? 'refuse'
    const trusted = skillTrust(state, owner)
    const placed = placeClaims({ source: 'skill', owner, tools, onConflict, trusted }, open, agent)
    if (!placed.ok) return { ok: false, skill: owner, clash: placed }
    const { claims } = placed
    const isWanted = of === null
    const cause: Cause = isWanted ? terms.cause : { by: 'dependency', of }
    const source = {
      source: 'skill' as const,
      owner,
      definition: skill?.hash ?? null,
      lifetime: isWanted ? (terms.lifetime ?? skill?.lifetime ?? 'session') : ('session' as const),
      requested: isWanted,
      ...(isWanted && terms.arguments !== undefined && { arguments: terms.arguments }),
    }
    opened.push({ cause, event: { type: 'source.opened', ...source, claims } })
    // The entries of the skills that leave come first.
    const since = state.seq + leaving.size + opened.length
    open.push({
      ...source,
      claims: claims.map((claim) => ({ ...claim, since })),
      usesLeft: null,
      turn,
      lastTurn: turn,
      since,
      cause,
    })
  }
  return { ok: true, opened, open }
}

/** Returns true for a tool that a skill registers itself: a tool of a server is registered by the server. */
export function isOfSkill({ server }: SkillTool): boolean {
  return server === undefined
}

/** Returns true when one of some skills names a server. */
export function namesServers(skills: readonly string[], { catalog }: EngineContext): boolean {
  const { skillServers } = catalog
  return skillServers !== undefined && skills.some((skill) => skillServers.has(skill))
}

/** Returns false for a skill that was found at run time, unless the host trusts it. */
export function skillTrust({ registered }: WorkspaceState, name: string): false | undefined {
  return registered.find(({ skill }) => skill === name)?.trusted === false ? false : undefined
}

/**
 * Gives each tool of an owner the name it is registered with.
 *
 * One owner may claim several versions of a name, and several owners the same definition. Owners
 * with the same definition shadow together: the other tool gets its name back when the last of them
 * has left. Two servers, or two instances of a component, are not the same tool, since their calls do not reach the
 * same: the second is registered as `owner__name`. A different definition under a taken name is a clash. It is refused unless the
 * owner sets `onConflict` to `shadow` (the new tool gets the name until it leaves) or `namespace`
 * (the new tool is registered as `owner__name`). A picked version of a shared tool may shadow
 * another version of it. Nothing shadows a meta-tool. What the owner has registered already keeps its
 * name while another tool shadows it.
 */
export function placeClaims(
  request: ClaimRequest,
  open: readonly OpenSource[],
  agent: Agent | null,
): ClaimPlacement {
  const wanted = new Set<string>()
  for (const { tool } of request.tools) {
    wanted.add(tool.name).add(namespaced(tool.name, request.owner))
  }
  const mine = open.find((source) => sameOwner(source, request))
  const known = (mine?.claims ?? []).filter(
    ({ name, definedAs }) => wanted.has(name) || wanted.has(definedAs),
  )
  const own = new OwnClaims(known, request.replace === true)
  // Of many open sources, only a few have claims on these names.
  const others = claimantsOf(open, wanted).filter((source) => source !== mine)
  const held = others.flatMap((source) => source.claims.map((claim) => ({ source, claim })))
  const byName = Map.groupBy(held, ({ claim }) => claim.name)
  const holderOf = (name: string) => {
    const holders = byName.get(name)
    return holders === undefined ? null : winnerAmong(holders, agent)
  }
  const claims: Claim[] = []
  const taken: Clash[] = []
  for (const one of request.tools) {
    const placed = placeClaim(one, request, own, holderOf)
    if (placed.ok) {
      own.add(placed.claim)
      claims.push(placed.claim)
    } else if (request.skipsTaken === true) taken.push({ ...placed, name: one.tool.name })
    else return placed
  }
  return { ok: true, claims, taken }
}

function placeClaim(
  { tool, picked = false }: ClaimRequest['tools'][number],
  request: ClaimRequest,
  own: OwnClaims,
  holderOf: (name: string) => HeldClaim | null,
): { readonly ok: true; readonly claim: Claim } | Clash {
  const { onConflict } = request
  const clash = (name: string): Clash => ({ ok: false, name, holder: request, meta: false })
  const claimAs = (name: string, how: OnConflict) => {
    const claim = claimOn(name, tool, how, request)
    return own.isTaken(name, tool.name) ? clash(name) : { ok: true as const, claim }
  }
  if (own.hasOther(tool)) return clash(tool.name)
  const held = holderOf(tool.name)
  if (held === null) return claimAs(tool.name, onConflict)
  const isEqual = held.claim.hash === tool.hash
  if (isEqual && mayShare(held.source, request)) {
    return claimAs(tool.name, held.claim.onConflict === 'shadow' ? 'shadow' : onConflict)
  }
  const meta = isMeta(held.source)
  const isPickedVersion = picked && held.source.source === 'global'
  if (!meta && (onConflict === 'shadow' || isPickedVersion)) return claimAs(tool.name, 'shadow')
  const again = own.same(tool)
  if (again) return { ok: true, claim: claimOn(again.name, tool, again.onConflict, request) }
  if (onConflict !== 'namespace' && !isEqual)
    return { ok: false, name: tool.name, holder: held.source, meta }
  const name = namespaced(tool.name, request.owner)
  const holder = holderOf(name)?.source
  if (holder !== undefined) return { ok: false, name, holder, meta: false }
  return claimAs(name, 'namespace')
}

/** Returns true for owners whose tools are one tool when their definitions are the same: not two servers or components. */
export function mayShare(
  one: Pick<OpenSource, 'source' | 'owner'>,
  other: Pick<OpenSource, 'source' | 'owner'>,
): boolean {
  const isInstance = ({ source }: Pick<OpenSource, 'source'>) =>
    source === 'component' || source === 'server'
  return sameOwner(one, other) || !isInstance(one) || !isInstance(other)
}

/** The name of a tool that gives way to another tool. */
export function namespaced(name: string, owner: string): string {
  return `${owner}__${name}`
}

/** Returns the claim of an owner on a name. */
export function claimOn(
  name: string,
  tool: Tool,
  onConflict: OnConflict,
  { trusted }: Pick<ClaimRequest, 'trusted'>,
): Claim {
  const { name: definedAs, nameOnServer, hash, version } = tool
  const claim = { name, definedAs, hash, version, bound: isBound(tool), onConflict }
  return {
    ...claim,
    ...(nameOnServer !== undefined && { nameOnServer }),
    ...(tool.requiresConfirmation && tool.confirms !== undefined && { conditional: true }),
    ...(trusted === false && { trusted }),
  }
}

/**
 * The claims of one owner by name: those it has, and those it is about to get. An index, because an
 * owner may register ten thousand tools.
 */
class OwnClaims {
  readonly #byName = new Map<string, Claim[]>()
  readonly #byDefinition = new Map<string, Claim[]>()
  readonly #byHash: ReadonlyMap<string, Claim>

  /** @param replace it may replace the definitions it has */
  constructor(known: readonly Claim[], replace: boolean) {
    this.#byHash = new Map(known.map((claim) => [claim.hash, claim]))
    for (const claim of known) {
      addTo(this.#byName, claim.name, claim)
      if (!replace) addTo(this.#byDefinition, claim.definedAs, claim)
    }
  }

  add(claim: Claim): void {
    addTo(this.#byName, claim.name, claim)
    addTo(this.#byDefinition, claim.definedAs, claim)
  }

  /** Returns the claim that it has on this definition. */
  same({ hash }: Tool): Claim | undefined {
    return this.#byHash.get(hash)
  }

  /** Returns true when it has another definition of that name and version. */
  hasOther({ name, version, hash }: Pick<Tool, 'name' | 'version' | 'hash'>): boolean {
    const known = this.#byDefinition.get(name) ?? []
    return known.some((one) => one.version === version && one.hash !== hash)
  }

  /** Returns true when a tool with another name in its definition is registered under a name. */
  isTaken(name: string, definedAs: string): boolean {
    return this.#byName.get(name)?.some((one) => one.definedAs !== definedAs) ?? false
  }
}

function addTo(claims: Map<string, Claim[]>, name: string, claim: Claim): void {
  const known = claims.get(name)
  if (known) known.push(claim)
  else claims.set(name, [claim])
}

/** Sources that are checked together. */
const BLOCK = 64

interface Block {
  readonly sources: readonly OpenSource[]
  readonly names: ReadonlySet<string>
}

/**
 * By the first source of each block. Sources are mostly added at the end, so earlier blocks stay
 * valid.
 */
const blocks = new WeakMap<OpenSource, Block>()

/**
 * Returns the open sources that claim one of some names, in their order. Every source that is
 * opened asks this, and a thousand initial skills would compare half a million sources. So blocks
 * of sources that have none of the names are skipped.
 */
export function claimantsOf(
  open: readonly OpenSource[],
  names: ReadonlySet<string>,
): readonly OpenSource[] {
  const found: OpenSource[] = []
  for (let from = 0; from < open.length; from += BLOCK) {
    const isFull = from + BLOCK <= open.length
    if (isFull && !meets(blockAt(open, from).names, names)) continue
    for (const source of open.slice(from, from + BLOCK)) {
      if (source.claims.some(({ name }) => names.has(name))) found.push(source)
    }
  }
  return found
}

function blockAt(open: readonly OpenSource[], from: number): Block {
  const first = open[from] as OpenSource
  const known = blocks.get(first)
  if (known?.sources.every((source, index) => source === open[from + index]) === true) return known
  const sources = open.slice(from, from + BLOCK)
  const names = new Set(sources.flatMap(({ claims }) => claims.map(({ name }) => name)))
  const block = { sources, names }
  blocks.set(first, block)
  return block
}

function meets(known: ReadonlySet<string>, names: ReadonlySet<string>): boolean {
  for (const name of names) if (known.has(name)) return true
  return false
}

/** A claim with the source that made it. */
export interface HeldClaim {
  readonly source: OpenSource
  readonly claim: OpenClaim
}

/**
 * Returns the claim that gets the name: the latest claim with `shadow`, else the first one.
 *
 * Claims without `shadow` that reach this point have the same definition, so the first of them
 * represents all owners that share the tool. Of several versions of one owner's tool, the version
 * the agent picks by range gets the name, else the highest.
 *
 * @param claims at least one
 */
export function winnerAmong(claims: readonly HeldClaim[], agent: Agent | null): HeldClaim {
  return claims.reduce((holder, one) => (beats(one, holder, agent) ? one : holder))
}

/** Returns true when a claim takes the name from the claim that had it so far. */
export function beats(one: HeldClaim, holder: HeldClaim, agent: Agent | null): boolean {
  if (sameOwner(one.source, holder.source)) {
    const [picked, before] = [isPicked(one.claim, agent), isPicked(holder.claim, agent)]
    return picked === before ? gt(one.claim.version, holder.claim.version) : picked
  }
  const [claim, held] = [one.claim, holder.claim]
  if (claim.onConflict === 'shadow') {
    return held.onConflict !== 'shadow' || claim.since > held.since
  }
  return held.onConflict !== 'shadow' && claim.since < held.since
}

function isPicked({ definedAs, version }: OpenClaim, agent: Agent | null): boolean {
  return (agent?.versions ?? []).some((reference) => {
    const { name, range } = parseToolReference(reference)
    return name === definedAs && satisfies(version, range)
  })
}
