import type { ModelMessage, ToolApprovalResponse } from 'ai'
import type { ChatAnswer, ChatEvent, ChatNotice, ChatQuestion, TurnStatus } from './chat-event.ts'
import type { ChatStore } from './chat-store.ts'
import { describeQuestion } from '../../engine/explain/describe-question.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { findConfirmation } from '../../workspace/calls/find-confirmation.ts'
import type { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'

/** The parts of a chat that questions need. */
export interface AskParts {
  readonly workspace: VirtualWorkspace
  readonly store: ChatStore
  /** Asks a person; null when there is nobody to ask. */
  readonly ask: (question: ChatQuestion) => Promise<ChatAnswer | null>
}

/** Asks about the calls of the last answer. Returns the status when the turn cannot go on. */
export async function* askAboutCalls(
  { workspace, store, ask }: AskParts,
  signal: AbortSignal,
): AsyncGenerator<ChatEvent, TurnStatus | null> {
  const answers: ToolApprovalResponse[] = []
  for (const { approvalId, call, tool, input } of unansweredRequests(store.messages)) {
    const asked = findConfirmation(workspace, tool, input)
    const listed = workspace.tools().find(({ name }) => name === asked?.tool)
    const question = asked?.id ?? approvalId
    const about = asked === undefined ? '' : describeQuestion(asked)
    const risk = listed?.tool?.risk ?? 'moderate'
    const shown: ChatQuestion = { question, call, tool, input, risk, about }
    yield { type: 'asked', ...shown }
    const known = asked?.consent === 'approved' ? 'call' : null
    const answer =
      asked?.consent === 'denied' ? 'no' : (known ?? (signal.aborted ? null : await ask(shown)))
    if (answer === null && !signal.aborted) return 'waiting'
    const given = answer ?? 'no'
    // A screen may have answered the question itself.
    const now = findConfirmation(workspace, tool, input)
    if (given !== 'no' && now?.consent === 'pending') {
      const notice = await approve(workspace, now.id, given)
      if (notice !== null) yield notice
    }
    yield { type: 'answered', question, tool, answer: given }
    answers.push({ type: 'tool-approval-response', approvalId, approved: given !== 'no' })
  }
  if (answers.length > 0) store.append([{ role: 'tool', content: answers }])
  return signal.aborted ? 'interrupted' : null
}

/** Approves a question. If only the wider scope fails, this one call is still approved. */
async function approve(
  workspace: VirtualWorkspace,
  id: string,
  remember: Exclude<ChatAnswer, 'no'>,
): Promise<ChatNotice | null> {
  try {
    const outcome = await workspace.approve(id, { by: 'user', remember })
    if (outcome.ok) return null
    const { code, message, hint } = outcome
    if (code === 'approval-too-wide') await workspace.approve(id, { by: 'user' })
    return { type: 'notice', code, message, hint }
  } catch (error) {
    if (!WorkspaceError.is(error)) throw error
    const { code, message, hint } = error
    return { type: 'notice', code, message, hint }
  }
}

interface OpenRequest {
  readonly approvalId: string
  readonly call: string
  readonly tool: string
  readonly input: unknown
}

/** Returns the questions of the last answer that have no answer yet. */
export function unansweredRequests(messages: readonly ModelMessage[]): readonly OpenRequest[] {
  const last = messages.findLastIndex(({ role }) => role === 'assistant')
  const answer = messages[last]
  if (answer?.role !== 'assistant' || typeof answer.content === 'string') return []
  const after = messages.slice(last + 1)
  if (after.some(({ role }) => role === 'user')) return []
  const answered = new Set(
    after.flatMap(({ role, content }) =>
      role === 'tool'
        ? content.flatMap((part) =>
            part.type === 'tool-approval-response' ? [part.approvalId] : [],
          )
        : [],
    ),
  )
  const { content } = answer
  return content.flatMap((request) => {
    if (request.type !== 'tool-approval-request' || answered.has(request.approvalId)) return []
    const call = content.find(
      (part) => part.type === 'tool-call' && part.toolCallId === request.toolCallId,
    )
    if (call?.type !== 'tool-call') return []
    const { toolCallId, toolName: tool, input } = call
    return [{ approvalId: request.approvalId, call: toolCallId, tool, input }]
  })
}
