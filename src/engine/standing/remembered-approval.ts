import type { Approval } from '../model/consent-state.ts'
import type { Claim } from '../model/source-event.ts'
import { ownedToolOf } from './owned-tool-of.ts'
import { isSameTool } from '../model/owned-tool.ts'
import { isMeta } from '../model/meta-owner.ts'
import type { OpenSource } from '../model/source-state.ts'

/**
 * The approval that lets every call of a registered tool run, at the definition it has now. None does for
 * a meta-tool: which skill or script it is about, only its arguments say.
 */
export function rememberedApproval(
  held: {
    readonly owner: Pick<OpenSource, 'source' | 'owner'>
    readonly claim: Pick<Claim, 'definedAs' | 'hash'>
  },
  { approvals }: { readonly approvals: readonly Approval[] },
): Approval | undefined {
  if (approvals.length === 0 || isMeta(held.owner)) return undefined
  const tool = ownedToolOf(held)
  return approvals.find((one) => one.hash === held.claim.hash && isSameTool(one, tool))
}
