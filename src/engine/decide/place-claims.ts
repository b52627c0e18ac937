import type { Tool } from '../../registry/tool.ts'
import type { OnConflict } from '../../skills/skill.ts'
import { claimantsOf } from '../claimants.ts'
import type { Claim } from '../sources/source-event.ts'
import { isMeta } from '../meta-owner.ts'
import type { OpenSource } from '../sources/source-state.ts'
import type { ToolSource } from '../sources/tool-source.ts'
import type { Agent } from '../../skills/agent.ts'
import { sameOwner, winnerOf } from '../winner.ts'

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

export type Placement =
  | { readonly ok: true; readonly claims: readonly Claim[] }
  | {
      readonly ok: false
      readonly name: string
      readonly holder: Pick<OpenSource, 'source' | 'owner'>
      readonly meta: boolean
    }

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
  const claims: Claim[] = []
  const own = open.find((source) => sameOwner(source, request))
  // Each tool asks who holds its name: of many open sources, hardly any claims one of them.
  const wanted = new Set(
    request.tools.flatMap(({ tool }) => [tool.name, `${request.owner}__${tool.name}`]),
  )
  const others = claimantsOf(open, wanted).filter((source) => source !== own)
  for (const { tool, picked } of request.tools) {
    const claim = (name: string, onConflict: OnConflict): Claim => ({
      name,
      definedAs: tool.name,
      hash: tool.hash,
      version: tool.version,
      bound: tool.run !== undefined,
      onConflict,
      ...(request.trusted === false && { trusted: false }),
    })
    const clash = (name: string): Placement => ({ ok: false, name, holder: request, meta: false })
    const mine = [...(own?.claims ?? []), ...claims]
    const hasOther = (request.replace === true ? claims : mine).some(
      ({ definedAs, version, hash }) =>
        definedAs === tool.name && version === tool.version && hash !== tool.hash,
    )
    if (hasOther) return clash(tool.name)
    const isMine = (name: string) =>
      mine.some((one) => one.name === name && one.definedAs !== tool.name)
    const held = winnerOf(tool.name, others, agent)
    const meta = held !== null && isMeta(held.source)
    const otherVersion =
      picked === true && held !== null && held.source.source === 'global' && !meta
    const takes = held === null || held.claim.hash === tool.hash
    const shadows = !takes && !meta && (request.onConflict === 'shadow' || otherVersion)
    if ((takes || shadows) && isMine(tool.name)) return clash(tool.name)
    if (takes) {
      const joins = held?.claim.onConflict === 'shadow'
      claims.push(claim(tool.name, joins ? 'shadow' : request.onConflict))
    } else if (shadows) {
      claims.push(claim(tool.name, 'shadow'))
    } else if (request.onConflict === 'namespace') {
      const name = `${request.owner}__${tool.name}`
      const again = winnerOf(name, others, agent)
      if (again !== null) return { ok: false, name, holder: again.source, meta: false }
      if (isMine(name)) return clash(name)
      claims.push(claim(name, 'namespace'))
    } else {
      return { ok: false, name: tool.name, holder: held.source, meta }
    }
  }
  return { ok: true, claims }
}
