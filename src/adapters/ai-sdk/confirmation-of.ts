import { isAskedOf } from '../../engine/standing/is-asked-of.ts'
import { META_OWNER } from '../../engine/model/meta-owner.ts'
import type { PendingConfirmation } from '../../engine/model/confirmation-state.ts'
import { contentHash } from '../../kernel/content-hash.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import { bridgedTarget } from '../../workspace/calls/bridged-target.ts'
import type { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'

/** The question a person was, or is to be, asked about a call of this very tool and arguments. */
export function confirmationOf(
  workspace: VirtualWorkspace,
  tool: string,
  input: unknown,
): PendingConfirmation | undefined {
  const { confirmations } = workspace.state
  if (confirmations.length === 0) return undefined
  const target = targetOf(workspace, tool, input)
  const digest = digestOf(target.input)
  // A question goes by the tool's own name; it may be called by `owner/name`.
  const name = target.tool.slice(target.tool.lastIndexOf('/') + 1)
  const hash = workspace.getAvailableTools().find((one) => one.name === name)?.hash
  // What was asked of the tool as it was is no question about the tool as it is.
  const isAsIs = (one: PendingConfirmation) => hash === undefined || one.hash === hash
  const owner = workspace.getToolSource(target.tool)
  const isIts = (one: PendingConfirmation) => owner === null || isAskedOf(one, { owner })
  return confirmations.find(
    (one) => one.tool === name && one.digest === digest && isAsIs(one) && isIts(one),
  )
}

/** The tool that is really called, and with what: our `call_tool` calls another one. */
export function targetOf(
  workspace: VirtualWorkspace,
  tool: string,
  input: unknown,
): { readonly tool: string; readonly input: unknown } {
  const isBridge = tool === 'call_tool' && workspace.getToolSource(tool)?.owner === META_OWNER
  return (isBridge ? bridgedTarget(input) : null) ?? { tool, input }
}

/** Null for what has no canonical form; the pipeline refuses such arguments. */
function digestOf(input: unknown): ContentHash | null {
  try {
    return contentHash(input ?? null)
  } catch {
    return null
  }
}
