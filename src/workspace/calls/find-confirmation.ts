import { allConfirmations, type PendingConfirmation } from '../../engine/model/consent-event.ts'
import { META_OWNER, type ToolSource } from '../../engine/model/source-event.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import { askedNames } from '../../engine/standing/assess.ts'
import { isConfirmationFor } from '../../engine/standing/remembered-approval.ts'
import type { Catalog } from '../../catalog/create/catalog.ts'
import { contentHash, type ContentHash } from '../../kernel/content-hash.ts'
import { wellFormed } from '../../kernel/json-value.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import { ownName } from '../../schema/provider-forms/provider-name.ts'
import { ownArguments } from '../../schema/provider-forms/sent-keys.ts'
import { bridgedTarget } from './request/call-request.ts'

/** The members of a workspace that say which tool a call is about. */
export interface CalledTools {
  readonly state: WorkspaceState
  /** For tools that a search found and whose skill is not active. */
  readonly catalog?: Pick<Catalog, 'toolsByHash'>
  getAvailableTools(): readonly Pick<Tool, 'name' | 'hash' | 'inputSchema'>[]
  getToolSource(tool: string): { readonly source: ToolSource; readonly owner: string } | null
}

/**
 * Returns the question that a person was or will be asked about a call of this tool with these
 * arguments.
 */
export function findConfirmation(
  workspace: CalledTools,
  tool: string,
  input: unknown,
): PendingConfirmation | undefined {
  const confirmations = allConfirmations(workspace.state)
  if (confirmations.length === 0) return undefined
  const { target, name, digest, hash } = calledTool(workspace, tool, input)
  // A question about an earlier version of the tool does not cover this one.
  const isSameVersion = (one: PendingConfirmation) => hash === undefined || one.hash === hash
  const owner = workspace.getToolSource(target.tool)
  const isSameOwner = (one: PendingConfirmation) =>
    one.child === undefined && (owner === null || isConfirmationFor(one, { owner }))
  return confirmations.find(
    (one) => one.tool === name && one.digest === digest && isSameVersion(one) && isSameOwner(one),
  )
}

/**
 * Returns true when the call with this id ran with the approval of a person, in this step or the one before: the same
 * tool in the same version, with the same arguments. Made again, it keeps its id and asks nobody.
 */
export function ranApproved(
  workspace: CalledTools,
  { tool, input, call }: { readonly tool: string; readonly input: unknown; readonly call: string },
): boolean {
  const { name, digest, hash } = calledTool(workspace, tool, input)
  const { calls } = workspace.state.stepCalls
  return calls.some(
    (one) =>
      one.given === call &&
      one.tool === name &&
      (one.digest === digest || one.asked === digest) &&
      one.hash === hash &&
      one.confirmation !== null,
  )
}

function calledTool(workspace: CalledTools, tool: string, input: unknown) {
  const target = callTarget(workspace, tool, input)
  // A question has the tool's own name, while a call may use `owner/name`.
  const name = target.tool.slice(target.tool.lastIndexOf('/') + 1)
  const hash = workspace.getAvailableTools().find((one) => one.name === name)?.hash
  return { target, name, digest: digestOf(target.input), hash }
}

/**
 * Returns the tool that a model really calls, by its name in the session, and its input: `call_tool` of the
 * workspace calls another tool, and a provider may have a tool and its arguments under other names.
 */
export function callTarget(
  workspace: CalledTools,
  tool: string,
  input: unknown,
): { readonly tool: string; readonly input: unknown } {
  const isBridge = tool === 'call_tool' && workspace.getToolSource(tool)?.owner === META_OWNER
  const target = (isBridge ? bridgedTarget(input) : null) ?? { tool, input }
  const name = ownName(target.tool, namesIn(workspace))
  const own = name.slice(name.lastIndexOf('/') + 1)
  const found = workspace.state.found.find((one) => one.name === own)
  const called =
    workspace.getAvailableTools().find((one) => one.name === own) ??
    (found && workspace.catalog?.toolsByHash.get(found.hash))
  return {
    tool: name,
    input: called ? ownArguments(called.inputSchema, target.input) : target.input,
  }
}

function* namesIn(workspace: CalledTools): Generator<string> {
  const { exposed } = workspace.state
  for (const asked of allConfirmations(workspace.state)) yield* askedNames(asked)
  for (const { name } of exposed ?? []) yield name
  for (const { name } of workspace.getAvailableTools()) yield name
}

/** Returns null for input without a canonical form; the pipeline refuses such arguments. */
function digestOf(input: unknown): ContentHash | null {
  try {
    return contentHash(wellFormed(input ?? null))
  } catch {
    return null
  }
}
