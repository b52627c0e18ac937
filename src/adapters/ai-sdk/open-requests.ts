import type { AssistantModelMessage, ModelMessage, ToolCallPart, ToolModelMessage } from 'ai'
import { answerApprovals, readApprovals } from './answer-approvals.ts'
import { findConfirmation } from '../../workspace/calls/find-confirmation.ts'
import type { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'

/** A part of a message of the model. */
type AssistantPart = Exclude<AssistantModelMessage['content'], string>[number]

/** Returns the parts of a message of the model. */
function partsOf(message: ModelMessage | undefined): readonly AssistantPart[] {
  if (message?.role !== 'assistant') return []
  const { content } = message
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

/** Returns true when the model made a call with this id. */
export function hasCall(messages: readonly ModelMessage[], call: string): boolean {
  return messages
    .flatMap(partsOf)
    .some((part) => part.type === 'tool-call' && part.toolCallId === call)
}

/** Returns the text of the answer that ends a conversation; null before it. */
export function finalText(messages: readonly ModelMessage[]): string | null {
  const last = messages.at(-1)
  const parts = partsOf(last)
  if (last?.role !== 'assistant' || parts.some(({ type }) => type === 'tool-call')) return null
  return parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('')
}

interface ApprovalRequest {
  readonly approvalId: string
  readonly toolCallId: string
}

/** Returns the requests of the conversation that have no response. */
export function openRequests(messages: readonly ModelMessage[]): readonly ApprovalRequest[] {
  const approvals = readApprovals(messages)
  return messages
    .flatMap(partsOf)
    .flatMap((part) => (part.type === 'tool-approval-request' ? [part] : []))
    .filter(({ toolCallId }) => !approvals.has(toolCallId))
}

/**
 * Adds the requests for approval of the last calls that are missing, because the process ended after the question and
 * before its request was stored.
 */
export function withLostRequests(
  child: VirtualWorkspace,
  messages: readonly ModelMessage[],
): readonly ModelMessage[] {
  const last = messages.at(-1)
  const parts = partsOf(last)
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
  if (lost.length === 0) return messages
  return [...messages.slice(0, -1), { role: 'assistant', content: [...parts, ...lost] }]
}

/** Returns the answers to all open requests. Without an answer of a person, a call is denied. */
export function answersTo(
  child: VirtualWorkspace,
  messages: readonly ModelMessage[],
): ToolModelMessage {
  const content = answerApprovals(child, messages)?.content ?? []
  const answered = new Set(
    content.flatMap((part) => (part.type === 'tool-approval-response' ? part.approvalId : [])),
  )
  const others = openRequests(messages)
    .filter(({ approvalId }) => !answered.has(approvalId))
    .map(({ approvalId }) => ({
      type: 'tool-approval-response' as const,
      approvalId,
      approved: false,
      reason: 'Nobody answered in time.',
    }))
  return { role: 'tool', content: [...content, ...others] }
}

/** Adds the calls of the step that is running. */
export function withCalls(
  messages: readonly ModelMessage[],
  calls: readonly ToolCallPart[],
): readonly ModelMessage[] {
  return [...messages, { role: 'assistant', content: [...calls] }]
}
