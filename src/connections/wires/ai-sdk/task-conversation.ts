import type { AssistantModelMessage, ModelMessage, ToolCallPart } from 'ai'
import type { VirtualWorkspace } from '../../../entries/index.ts'
import { answerApprovals, type OpenRequest, openRequests } from './answer-approvals.ts'
import { findConfirmation } from '../../../workspace/calls/find-confirmation.ts'

/** The conversation of a subagent about its task, from the prompt to the answer. It never changes: it is replaced. */
export class TaskConversation {
  readonly messages: readonly ModelMessage[]

  constructor(messages: readonly ModelMessage[]) {
    this.messages = messages
  }

  /** The text of the answer that ends the task; null before it. */
  get answer(): string | null {
    const last = this.messages.at(-1)
    const parts = contentParts(last)
    if (last?.role !== 'assistant' || parts.some(({ type }) => type === 'tool-call')) return null
    return parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('')
  }

  /** The requests for approval that have no response. */
  get openRequests(): readonly OpenRequest[] {
    return openRequests(this.messages)
  }

  /** Returns true when the model made a call with this id. */
  hasCall(call: string): boolean {
    return this.messages
      .flatMap(contentParts)
      .some((part) => part.type === 'tool-call' && part.toolCallId === call)
  }

  /** Adds the calls of the step that is running. */
  withCalls(calls: readonly ToolCallPart[]): TaskConversation {
    return new TaskConversation([...this.messages, { role: 'assistant', content: [...calls] }])
  }

  /**
   * Adds the requests for approval of the last calls that are missing, because the process ended after the question
   * and before its request was stored.
   */
  withLostRequests(child: VirtualWorkspace): TaskConversation {
    const { messages } = this
    const parts = contentParts(messages.at(-1))
    const requested = new Set(
      parts.flatMap((part) => (part.type === 'tool-approval-request' ? part.toolCallId : [])),
    )
    const lost = parts.flatMap((part) => {
      if (part.type !== 'tool-call' || requested.has(part.toolCallId)) return []
      const asked = findConfirmation(child, part.toolName, part.input)
      if (asked === undefined) return []
      const { toolCallId } = part
      return [{ type: 'tool-approval-request' as const, approvalId: asked.id, toolCallId }]
    })
    if (lost.length === 0) return this
    const last: ModelMessage = { role: 'assistant', content: [...parts, ...lost] }
    return new TaskConversation([...messages.slice(0, -1), last])
  }

  /** Adds the answers to all open requests. Without an answer of a person, a call is denied. */
  withAnswers(child: VirtualWorkspace): TaskConversation {
    const content = answerApprovals(child, this.messages)?.content ?? []
    const answered = new Set(
      content.flatMap((part) => (part.type === 'tool-approval-response' ? part.approvalId : [])),
    )
    const others = this.openRequests
      .filter(({ approvalId }) => !answered.has(approvalId))
      .map(({ approvalId }) => ({
        type: 'tool-approval-response' as const,
        approvalId,
        approved: false,
        reason: 'Nobody answered in time.',
      }))
    return new TaskConversation([
      ...this.messages,
      { role: 'tool', content: [...content, ...others] },
    ])
  }
}

/** Returns the parts of a message of the model. */
function contentParts(message?: ModelMessage): Exclude<AssistantModelMessage['content'], string> {
  if (message?.role !== 'assistant') return []
  const { content } = message
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}
