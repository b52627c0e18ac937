import type { ModelMessage, ToolApprovalResponse, ToolModelMessage } from 'ai'
import type { PendingConfirmation } from '../../engine/model/consent-event.ts'
import { META_OWNER } from '../../engine/model/source-event.ts'
import { isConfirmationFor } from '../../engine/standing/remembered-approval.ts'
import { contentHash, type ContentHash } from '../../kernel/content-hash.ts'
import { bridgedTarget } from '../../workspace/calls/call-request.ts'
import type { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'

/**
 * Returns the SDK's answers to questions that were answered in the workspace (`approve`, `deny`),
 * such as by a person at another screen. Append the message to the history and run again. Returns
 * null while no question of the history is answered.
 */
export function answerApprovals(
  workspace: VirtualWorkspace,
  messages: readonly ModelMessage[],
): ToolModelMessage | null {
  const content = messages.flatMap((message) => {
    if (message.role !== 'assistant' || typeof message.content === 'string') return []
    const { content } = message
    return content.flatMap((request) => {
      if (request.type !== 'tool-approval-request') return []
      const { approvalId, toolCallId } = request
      const call = content.find((one) => one.type === 'tool-call' && one.toolCallId === toolCallId)
      if (call?.type !== 'tool-call' || findApproval(messages, toolCallId) !== undefined) return []
      const asked = findConfirmation(workspace, call.toolName, call.input)
      if (asked === undefined || asked.consent === 'pending') return []
      const approved = asked.consent === 'approved'
      return [{ type: 'tool-approval-response' as const, approvalId, approved }]
    })
  })
  return content.length === 0 ? null : { role: 'tool', content }
}

/**
 * Records the denials of a conversation in the session. The SDK sends them to the model by itself
 * and makes no call.
 */
export async function recordDenials(
  workspace: VirtualWorkspace,
  messages: readonly ModelMessage[],
): Promise<void> {
  if (!workspace.state.confirmations.some(({ consent }) => consent === 'pending')) return
  for (const message of messages) {
    if (message.role !== 'assistant' || typeof message.content === 'string') continue
    for (const part of message.content) {
      if (part.type !== 'tool-call') continue
      if (findApproval(messages, part.toolCallId)?.approved !== false) continue
      const asked = findConfirmation(workspace, part.toolName, part.input)
      if (asked?.consent === 'pending') await workspace.deny(asked.id, { by: 'user' })
    }
  }
}

/**
 * Returns a person's answer about a call in the conversation. The first answer counts, as for the
 * SDK.
 */
export function findApproval(
  messages: readonly ModelMessage[],
  call: string,
): ToolApprovalResponse | undefined {
  const asked = new Set(
    messages.flatMap((message) =>
      message.role !== 'assistant' || typeof message.content === 'string'
        ? []
        : message.content.flatMap((part) =>
            part.type === 'tool-approval-request' && part.toolCallId === call
              ? part.approvalId
              : [],
          ),
    ),
  )
  if (asked.size === 0) return undefined
  return messages
    .flatMap((message) => (message.role === 'tool' ? message.content : []))
    .filter((part) => part.type === 'tool-approval-response')
    .find(({ approvalId }) => asked.has(approvalId))
}

/**
 * Returns the question that a person was or will be asked about a call of this tool with these
 * arguments.
 */
export function findConfirmation(
  workspace: VirtualWorkspace,
  tool: string,
  input: unknown,
): PendingConfirmation | undefined {
  const { confirmations } = workspace.state
  if (confirmations.length === 0) return undefined
  const target = callTarget(workspace, tool, input)
  const digest = digestOf(target.input)
  // A question has the tool's own name, while a call may use `owner/name`.
  const name = target.tool.slice(target.tool.lastIndexOf('/') + 1)
  const hash = workspace.getAvailableTools().find((one) => one.name === name)?.hash
  // A question about an earlier version of the tool does not cover this one.
  const isSameVersion = (one: PendingConfirmation) => hash === undefined || one.hash === hash
  const owner = workspace.getToolSource(target.tool)
  const isSameOwner = (one: PendingConfirmation) =>
    owner === null || isConfirmationFor(one, { owner })
  return confirmations.find(
    (one) => one.tool === name && one.digest === digest && isSameVersion(one) && isSameOwner(one),
  )
}

/**
 * Returns the tool that is really called and its input: `call_tool` of the workspace calls another
 * tool.
 */
export function callTarget(
  workspace: VirtualWorkspace,
  tool: string,
  input: unknown,
): { readonly tool: string; readonly input: unknown } {
  const isBridge = tool === 'call_tool' && workspace.getToolSource(tool)?.owner === META_OWNER
  return (isBridge ? bridgedTarget(input) : null) ?? { tool, input }
}

/** Returns null for input without a canonical form; the pipeline refuses such arguments. */
function digestOf(input: unknown): ContentHash | null {
  try {
    return contentHash(input ?? null)
  } catch {
    return null
  }
}
