import type { ModelMessage } from 'ai'
import type { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'
import { approvalOf } from './approval-of.ts'
import { confirmationOf } from './confirmation-of.ts'

/**
 * Record the noes of a conversation. The SDK tells the model of them by itself and makes no call,
 * so this is where the session learns of them.
 */
export async function denyRefused(
  workspace: VirtualWorkspace,
  messages: readonly ModelMessage[],
): Promise<void> {
  if (!workspace.state.confirmations.some(({ consent }) => consent === 'pending')) return
  for (const message of messages) {
    if (message.role !== 'assistant' || typeof message.content === 'string') continue
    for (const part of message.content) {
      if (part.type !== 'tool-call') continue
      if (approvalOf(messages, part.toolCallId)?.approved !== false) continue
      const asked = confirmationOf(workspace, part.toolName, part.input)
      if (asked?.consent === 'pending') await workspace.deny(asked.id, { by: 'user' })
    }
  }
}
