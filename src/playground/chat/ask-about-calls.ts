import type { ModelMessage, ToolApprovalResponse } from 'ai'
import type { ChatAnswer, ChatEvent, ChatQuestion, TurnStatus } from './chat-event.ts'
import type { ChatStore } from './chat-store.ts'
import { type OpenRequest, openRequests } from '../../adapters/ai-sdk/answer-approvals.ts'
import { describeQuestion } from '../../engine/explain/describe-question.ts'
import { approveForPerson } from '../../workspace/calls/approve.ts'
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
  for (const request of unansweredRequests(store.messages)) {
    const { approvalId, toolCallId: call, toolName: tool, input } = request
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
      const { problem } = await approveForPerson(workspace, now.id, given)
      if (problem !== null) {
        const { code, message, hint } = problem
        yield { type: 'notice', code, message, hint }
      }
    }
    yield { type: 'answered', question, tool, answer: given }
    answers.push({ type: 'tool-approval-response', approvalId, approved: given !== 'no' })
  }
  if (answers.length > 0) store.append([{ role: 'tool', content: answers }])
  return signal.aborted ? 'interrupted' : null
}

/** Returns the questions of the last answer that have no answer yet. */
export function unansweredRequests(messages: readonly ModelMessage[]): readonly OpenRequest[] {
  const answer = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant'))
  return answer.some(({ role }) => role === 'user') ? [] : openRequests(answer)
}
