import gt from 'semver/functions/gt.js'
import satisfies from 'semver/functions/satisfies.js'
import {
  type Claim,
  isMeta,
  type OpenClaim,
  type OpenSource,
  sameOwner,
  type ToolSource,
} from '../model/source-event.ts'
import type { Agent } from '../../skills/definition/define-agent.ts'
import type { OnConflict } from '../../skills/definition/skill.ts'
import { parseToolReference } from '../../tools/definition/parse-tool-reference.ts'
import type { Tool } from '../../tools/definition/tool.ts'

/** Tools an owner wants registered. */
export interface ClaimRequest {
  readonly source: ToolSource
  readonly owner: string
  readonly tools: readonly { readonly tool: Tool; readonly picked?: boolean }[]
  readonly onConflict: OnConflict
  /** The owner may put another definition in the place of its own of that name and version. */
  readonly replace?: boolean
  readonly trusted?: false | undefined
}

/** A name that somebody has for another tool: another owner, or the very one that asks. */
export interface Clash {
  readonly ok: false
  readonly name: string
  readonly holder: Pick<OpenSource, 'source' | 'owner'>
  /** The tool that has it is a meta-tool. */
  readonly meta: boolean
}

export type ClaimPlacement = { readonly ok: true; readonly claims: readonly Claim[] } | Clash

/**
 * Give each tool of an owner the name it will go by, beside what is open.
 *
 * One owner may claim several versions of a name, and many owners the same definition; who
 * joins one that shadows another shadows it too, so that it stays until the last has left.
 * A different definition under a name that is held is a clash: refused, unless the owner said
 * `shadow` (the newcomer wins and the holder is back when it leaves) or `namespace` (the
 * newcomer goes by `owner__name`). A version picked of a shared tool may stand before another
 * version of it. Nothing ever stands before a meta-tool.
 */
export function placeClaims(
  request: ClaimRequest,
  open: readonly OpenSource[],
  agent: Agent | null,
): ClaimPlacement {
  const wanted = new Set(request.tools.flatMap(({ tool }) => [tool.name, moved(tool, request)]))
  const mine = open.find((source) => sameOwner(source, request))
  const known = (mine?.claims ?? []).filter(
    ({ name, definedAs }) => wanted.has(name) || wanted.has(definedAs),
  )
  const own = new OwnClaims(known, request.replace === true)
  const others = heldByOthers(wanted, open, mine)
  const holderOf = (name: string) => {
    const held = others.get(name)
    return held === undefined ? null : winnerAmong(held, agent)
  }
  const claims: Claim[] = []
  for (const one of request.tools) {
    const placed = placeClaim(one, request, own, holderOf)
    if (!placed.ok) return placed
    own.add(placed.claim)
    claims.push(placed.claim)
  }
  return { ok: true, claims }
}

/** The claims of other owners on some names. Of many open sources, hardly any claims one of them. */
function heldByOthers(
  names: ReadonlySet<string>,
  open: readonly OpenSource[],
  mine: OpenSource | undefined,
): ReadonlyMap<string, readonly HeldClaim[]> {
  const others = claimantsOf(open, names).filter((source) => source !== mine)
  const held = others.flatMap((source) => source.claims.map((claim) => ({ source, claim })))
  return Map.groupBy(held, ({ claim }) => claim.name)
}

function placeClaim(
  { tool, picked = false }: ClaimRequest['tools'][number],
  request: ClaimRequest,
  own: OwnClaims,
  holderOf: (name: string) => HeldClaim | null,
): { readonly ok: true; readonly claim: Claim } | Clash {
  const { onConflict } = request
  const clash = (name: string): Clash => ({ ok: false, name, holder: request, meta: false })
  const goingBy = (name: string, how: OnConflict) => {
    const claim = claimOn(name, tool, how, request)
    return own.isTaken(name, tool.name) ? clash(name) : { ok: true as const, claim }
  }
  if (own.hasOther(tool)) return clash(tool.name)
  const held = holderOf(tool.name)
  if (held === null) return goingBy(tool.name, onConflict)
  if (held.claim.hash === tool.hash) {
    return goingBy(tool.name, held.claim.onConflict === 'shadow' ? 'shadow' : onConflict)
  }
  const meta = isMeta(held.source)
  const isPickedVersion = picked && held.source.source === 'global'
  if (!meta && (onConflict === 'shadow' || isPickedVersion)) return goingBy(tool.name, 'shadow')
  if (onConflict !== 'namespace') return { ok: false, name: tool.name, holder: held.source, meta }
  const name = moved(tool, request)
  const again = holderOf(name)
  if (again !== null) return { ok: false, name, holder: again.source, meta: false }
  return goingBy(name, 'namespace')
}

/** The name a tool goes by that was moved out of the way of another. */
function moved({ name }: Tool, { owner }: ClaimRequest): string {
  return `${owner}__${name}`
}

function claimOn(
  name: string,
  { name: definedAs, hash, version, execute: run }: Tool,
  onConflict: OnConflict,
  { trusted }: ClaimRequest,
): Claim {
  const claim = { name, definedAs, hash, version, bound: run !== undefined, onConflict }
  return trusted === false ? { ...claim, trusted } : claim
}

/**
 * The claims of one owner, those it has and those it is about to get, by their names: each of ten
 * thousand tools asks whether another one stands in its way.
 */
class OwnClaims {
  readonly #byName = new Map<string, Claim[]>()
  readonly #byDefinition = new Map<string, Claim[]>()

  /** @param replace it may put other definitions in the place of those it has */
  constructor(known: readonly Claim[], replace: boolean) {
    for (const claim of known) {
      addTo(this.#byName, claim.name, claim)
      if (!replace) addTo(this.#byDefinition, claim.definedAs, claim)
    }
  }

  add(claim: Claim): void {
    addTo(this.#byName, claim.name, claim)
    addTo(this.#byDefinition, claim.definedAs, claim)
  }

  /** Whether it has another definition of that name and version. */
  hasOther({ name, version, hash }: Pick<Tool, 'name' | 'version' | 'hash'>): boolean {
    const known = this.#byDefinition.get(name) ?? []
    return known.some((one) => one.version === version && one.hash !== hash)
  }

  /** Whether a tool of its own that is defined as something else goes by a name. */
  isTaken(name: string, definedAs: string): boolean {
    return this.#byName.get(name)?.some((one) => one.definedAs !== definedAs) ?? false
  }
}

function addTo(claims: Map<string, Claim[]>, name: string, claim: Claim): void {
  const known = claims.get(name)
  if (known) known.push(claim)
  else claims.set(name, [claim])
}

/** Sources that are looked through at once. */
const BLOCK = 64

interface Block {
  readonly sources: readonly OpenSource[]
  readonly names: ReadonlySet<string>
}

/** By the first source of each. What is open changes at its end, mostly, so blocks before it stay. */
const blocks = new WeakMap<OpenSource, Block>()

/**
 * The open sources that claim one of some names, in their order. Each opening of a source asks this of
 * all that are open before it: a thousand initial skills ask it half a million times, so whole blocks
 * of sources are passed over by the names in them.
 */
export function claimantsOf(
  open: readonly OpenSource[],
  names: ReadonlySet<string>,
): readonly OpenSource[] {
  const found: OpenSource[] = []
  const claimsAny = ({ claims }: OpenSource) => claims.some(({ name }) => names.has(name))
  for (let from = 0; from < open.length; from += BLOCK) {
    const isWhole = from + BLOCK <= open.length
    if (isWhole && !meets(blockAt(open, from).names, names)) continue
    for (const source of open.slice(from, from + BLOCK)) if (claimsAny(source)) found.push(source)
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

/** A claim together with the source that made it. */
export interface HeldClaim {
  readonly source: OpenSource
  readonly claim: OpenClaim
}

/**
 * Who holds the name that all these claim: the latest claim that said it shadows, else the first one made.
 *
 * Claims that do neither never meet a different definition (they would have been refused),
 * so the first of them stands for owners that share one tool. Of several versions of one
 * owner's tool, the one the agent picks by range is meant, else the highest.
 *
 * @param claims at least one
 */
export function winnerAmong(claims: readonly HeldClaim[], agent: Agent | null): HeldClaim {
  return claims.reduce((holder, one) => (beats(one, holder, agent) ? one : holder))
}

/** Whether a claim takes the name from the one that held it so far. */
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
