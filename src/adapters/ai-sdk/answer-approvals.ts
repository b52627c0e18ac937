import type { ModelMessage, ToolModelMessage } from 'ai'
import type { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'
import { approvalOf } from './approval-of.ts'
import { confirmationOf } from './confirmation-of.ts'

/**
 * The SDK's answers for questions that were answered in the workspace (`approve`, `deny`), such
 * as by a person at another screen: append the message to the history and run again. Null while
 * nothing that the history asks was answered.
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
      if (call?.type !== 'tool-call' || approvalOf(messages, toolCallId) !== undefined) return []
      const asked = confirmationOf(workspace, call.toolName, call.input)
      if (asked === undefined || asked.consent === 'pending') return []
      const approved = asked.consent === 'approved'
      return [{ type: 'tool-approval-response' as const, approvalId, approved }]
    })
  })
  return content.length === 0 ? null : { role: 'tool', content }
}
