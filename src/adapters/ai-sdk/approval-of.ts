import type { ModelMessage, ToolApprovalResponse } from 'ai'

/** What a person answered about a call, in the conversation; the first answer counts, as for the SDK. */
export function approvalOf(
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
