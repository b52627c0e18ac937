import type { ModelMessage, ToolApprovalResponse, ToolCallPart, ToolModelMessage } from 'ai'
import type { VirtualWorkspace } from '../../../entries/index.ts'
import type { ApprovalScope } from '../../../entries/kit.ts'
import { approveForPerson } from '../../../workspace/calls/approve.ts'
import { findConfirmation, ranApproved } from '../../../workspace/calls/find-confirmation.ts'

/**
 * Returns the SDK's answers to questions that were answered in the workspace (`approve`, `deny`),
 * such as by a person at another screen. Append the message to the history and run again. Returns
 * null while no question of the history is answered.
 */
export function answerApprovals(
  workspace: VirtualWorkspace,
  messages: readonly ModelMessage[],
): ToolModelMessage | null {
  const content = openRequests(messages).flatMap(({ approvalId, toolName, input }) => {
    const asked = findConfirmation(workspace, toolName, input)
    if (asked === undefined || asked.consent === 'pending') return []
    const approved = asked.consent === 'approved'
    const reason = approved || asked.words === undefined ? {} : { reason: asked.words }
    return [{ type: 'tool-approval-response' as const, approvalId, approved, ...reason }]
  })
  return content.length === 0 ? null : { role: 'tool', content }
}

/** A call that the SDK asks a person about. */
export interface OpenRequest extends Pick<ToolCallPart, 'toolCallId' | 'toolName' | 'input'> {
  readonly approvalId: string
}

/** Returns the SDK's requests for approval without an answer, each with its call. */
export function openRequests(messages: readonly ModelMessage[]): readonly OpenRequest[] {
  const approvals = readApprovals(messages)
  return messages.flatMap(({ role, content }) => {
    if (role !== 'assistant' || typeof content === 'string') return []
    return content.flatMap((request) => {
      if (request.type !== 'tool-approval-request' || approvals.has(request.toolCallId)) return []
      const { approvalId, toolCallId } = request
      const call = content.find((one) => one.type === 'tool-call' && one.toolCallId === toolCallId)
      if (call?.type !== 'tool-call') return []
      return [{ approvalId, toolCallId, toolName: call.toolName, input: call.input }]
    })
  })
}

/**
 * Records the denials of a conversation in the session. The SDK sends them to the model by itself
 * and makes no call.
 */
export async function recordDenials(
  workspace: VirtualWorkspace,
  messages: readonly ModelMessage[],
): Promise<void> {
  if (workspace.state.confirmations.length === 0) return
  const approvals = readApprovals(messages)
  for (const message of messages) {
    if (message.role !== 'assistant' || typeof message.content === 'string') continue
    for (const part of message.content) {
      if (part.type !== 'tool-call') continue
      const answer = approvals.get(part.toolCallId)
      if (answer?.approved !== false) continue
      const { reason } = answer
      const asked = findConfirmation(workspace, part.toolName, part.input)
      if (asked?.consent !== 'pending') continue
      await workspace.deny(asked.id, { by: 'user', ...(reason !== undefined && { reason }) })
    }
  }
}

/**
 * Records a person's approval in the conversation as consent. It counts only for the question that this very call
 * raised: a history that is sent again, or was changed, approves nothing, and a question that such a call raises gets
 * another id.
 */
export async function recordApproval(
  workspace: VirtualWorkspace,
  made: { readonly tool: string; readonly input: unknown; readonly call: string },
  remember: ApprovalScope,
): Promise<boolean> {
  const { tool, input, call } = made
  const asked = findConfirmation(workspace, tool, input)
  if (asked === undefined) return ranApproved(workspace, made)
  if (asked.consent === 'denied') return false
  if (asked.consent === 'approved') return true
  if (!(await hasQuestion(workspace, call, asked.seq, { id: asked.id }))) return false
  const { isApproved, problem } = await approveForPerson(workspace, asked.id, remember)
  if (!isApproved && problem instanceof Error) throw problem
  return isApproved
}

/**
 * Returns true for a call of a step that is made again, about which a person was asked in an earlier attempt and has answered
 * since: then the step ends with the same question, and its answer follows.
 */
export async function wasAsked(
  workspace: VirtualWorkspace,
  { tool, input }: { readonly tool: string; readonly input: unknown },
  call: string,
): Promise<boolean> {
  if (findConfirmation(workspace, tool, input)?.consent === 'pending') return false
  const { conversation, stepCalls } = workspace.state
  const made = stepCalls.requests.find(({ history }) => history === conversation.history)
  const name = tool.slice(tool.lastIndexOf('/') + 1)
  return made !== undefined && hasQuestion(workspace, call, made.since, { tool: name })
}

/** Returns true when a call raised a question from this entry on: this one, or any about a tool. */
async function hasQuestion(
  workspace: VirtualWorkspace,
  call: string,
  since: number,
  { id, tool }: { readonly id?: string; readonly tool?: string },
): Promise<boolean> {
  const entries = await workspace.entries(since)
  return entries.some(({ cause, event }) => {
    if (cause.by !== 'model' || cause.call !== call) return false
    if (event.type === 'confirmation.asked') {
      return id === undefined ? event.tool === tool : event.id === id
    }
    const isRefused = event.type === 'command.refused' && event.code === 'confirmation-required'
    return isRefused && (tool === undefined || event.subject === tool)
  })
}

/** The answers of a person in a conversation, by the id of the call. */
type Approvals = ReadonlyMap<string, ToolApprovalResponse>

/** Returns the latest answer of a person about a call that has no result yet: a later call may have its id again. */
export function unusedAnswer(
  messages: readonly ModelMessage[],
  call: string,
): ToolApprovalResponse | undefined {
  const asked = new Set(
    messages.flatMap(({ role, content }) =>
      role !== 'assistant' || typeof content === 'string'
        ? []
        : content.flatMap((part) =>
            part.type === 'tool-approval-request' && part.toolCallId === call
              ? part.approvalId
              : [],
          ),
    ),
  )
  for (const { role, content } of messages.toReversed()) {
    if (role !== 'tool') continue
    if (content.some((part) => part.type === 'tool-result' && part.toolCallId === call)) break
    const answer = content.find(
      (part) => part.type === 'tool-approval-response' && asked.has(part.approvalId),
    )
    if (answer?.type === 'tool-approval-response') return answer
  }
  return undefined
}

/** Returns the answers of a person about calls, in one pass. The first answer about a call counts, as for the SDK. */
export function readApprovals(messages: readonly ModelMessage[]): Approvals {
  const asked = new Map<string, string[]>()
  const answers: ToolApprovalResponse[] = []
  for (const { role, content } of messages) {
    if (role === 'tool') {
      for (const part of content) if (part.type === 'tool-approval-response') answers.push(part)
    } else if (role === 'assistant' && typeof content !== 'string') {
      for (const part of content) {
        if (part.type !== 'tool-approval-request') continue
        const { approvalId, toolCallId } = part
        asked.set(approvalId, [...(asked.get(approvalId) ?? []), toolCallId])
      }
    }
  }
  const approvals = new Map<string, ToolApprovalResponse>()
  for (const answer of answers) {
    for (const call of asked.get(answer.approvalId) ?? []) {
      if (!approvals.has(call)) approvals.set(call, answer)
    }
  }
  return approvals
}
