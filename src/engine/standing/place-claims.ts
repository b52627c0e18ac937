import type { Tool } from '../../tools/definition/tool.ts'
import type { OnConflict } from '../../skills/definition/skill.ts'
import { claimantsOf } from './claimants.ts'
import type { Claim } from '../model/source-event.ts'
import { isMeta } from '../model/meta-owner.ts'
import type { OpenSource } from '../model/source-state.ts'
import type { ToolSource } from '../model/tool-source.ts'
import type { Agent } from '../../skills/definition/agent.ts'
import { sameOwner } from '../model/same-owner.ts'
import { winnerAmong, type HeldClaim } from './winner.ts'
import { OwnClaims } from './own-claims.ts'

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
interface Clash {
  readonly ok: false
  readonly name: string
  readonly holder: Pick<OpenSource, 'source' | 'owner'>
  /** The tool that has it is a meta-tool. */
  readonly meta: boolean
}

export type Placement = { readonly ok: true; readonly claims: readonly Claim[] } | Clash

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
): Placement {
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
  { name: definedAs, hash, version, run }: Tool,
  onConflict: OnConflict,
  { trusted }: ClaimRequest,
): Claim {
  const claim = { name, definedAs, hash, version, bound: run !== undefined, onConflict }
  return trusted === false ? { ...claim, trusted } : claim
}
