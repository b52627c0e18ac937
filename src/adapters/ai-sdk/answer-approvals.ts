import type { ModelMessage, ToolApprovalResponse, ToolModelMessage } from 'ai'
import { findConfirmation } from '../../workspace/calls/find-confirmation.ts'
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
