import type { Claim } from '../model/source-event.ts'
import type { OwnedTool } from '../model/owned-tool.ts'
import type { OpenSource } from '../model/source-state.ts'

/** The tool that a claim, such as that of a row, is about. */
export function ownedToolOf({
  owner: { source, owner },
  claim,
}: {
  readonly owner: Pick<OpenSource, 'source' | 'owner'>
  readonly claim: Pick<Claim, 'definedAs'>
}): OwnedTool {
  return { source, owner, tool: claim.definedAs }
}
