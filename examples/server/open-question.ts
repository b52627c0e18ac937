import type { ModelMessage } from 'ai'

/** A question of the model's that nobody has answered. */
export interface OpenQuestion {
  readonly confirmation: string
  readonly tool: string
  readonly input: unknown
}

/** The question that a conversation waits at; null when it does not wait. */
export function openQuestion(messages: readonly ModelMessage[]): OpenQuestion | null {
  const last = messages.at(-1)
  if (last?.role !== 'assistant' || typeof last.content === 'string') return null
  const { content } = last
  for (const asked of content) {
    if (asked.type !== 'tool-approval-request') continue
    const call = content.find(
      (part) => part.type === 'tool-call' && part.toolCallId === asked.toolCallId,
    )
    if (call?.type !== 'tool-call') continue
    return { confirmation: asked.approvalId, tool: call.toolName, input: call.input }
  }
  return null
}
