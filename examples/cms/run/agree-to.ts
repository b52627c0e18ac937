import type { ContentPart, ModelMessage, ToolSet } from 'ai'

/**
 * The yes of a person to everything a run ended with a question about; null when there was no
 * question. A real host shows the tool and its input, and waits.
 */
export function agreeTo(
  content: readonly ContentPart<ToolSet>[],
): { readonly message: ModelMessage; readonly calls: readonly string[] } | null {
  const requests = content.filter((part) => part.type === 'tool-approval-request')
  if (requests.length === 0) return null
  const calls = requests.map(({ toolCall: { toolName, input } }) => {
    return `${toolName} ${JSON.stringify(input)}`
  })
  const answers = requests.map(({ approvalId }) => {
    return { type: 'tool-approval-response' as const, approvalId, approved: true }
  })
  return { message: { role: 'tool', content: answers }, calls }
}
