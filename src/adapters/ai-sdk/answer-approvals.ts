import type { ModelMessage, ToolApprovalResponse, ToolModelMessage } from 'ai'
import type { PendingConfirmation } from '../../engine/model/consent-event.ts'
import { META_OWNER } from '../../engine/model/source-event.ts'
import { isConfirmationFor } from '../../engine/standing/remembered-approval.ts'
import { contentHash, type ContentHash } from '../../kernel/content-hash.ts'
import { bridgedTarget } from '../../workspace/calls/call-request.ts'
import type { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'

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
      if (call?.type !== 'tool-call' || findApproval(messages, toolCallId) !== undefined) return []
      const asked = findConfirmation(workspace, call.toolName, call.input)
      if (asked === undefined || asked.consent === 'pending') return []
      const approved = asked.consent === 'approved'
      return [{ type: 'tool-approval-response' as const, approvalId, approved }]
    })
  })
  return content.length === 0 ? null : { role: 'tool', content }
}

/**
 * Record the noes of a conversation. The SDK tells the model of them by itself and makes no call,
 * so this is where the session learns of them.
 */
export async function recordDenials(
  workspace: VirtualWorkspace,
  messages: readonly ModelMessage[],
): Promise<void> {
  if (!workspace.state.confirmations.some(({ consent }) => consent === 'pending')) return
  for (const message of messages) {
    if (message.role !== 'assistant' || typeof message.content === 'string') continue
    for (const part of message.content) {
      if (part.type !== 'tool-call') continue
      if (findApproval(messages, part.toolCallId)?.approved !== false) continue
      const asked = findConfirmation(workspace, part.toolName, part.input)
      if (asked?.consent === 'pending') await workspace.deny(asked.id, { by: 'user' })
    }
  }
}

/** What a person answered about a call, in the conversation; the first answer counts, as for the SDK. */
export function findApproval(
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

/** The question a person was, or is to be, asked about a call of this very tool and arguments. */
export function findConfirmation(
  workspace: VirtualWorkspace,
  tool: string,
  input: unknown,
): PendingConfirmation | undefined {
  const { confirmations } = workspace.state
  if (confirmations.length === 0) return undefined
  const target = callTarget(workspace, tool, input)
  const digest = digestOf(target.input)
  // A question goes by the tool's own name; it may be called by `owner/name`.
  const name = target.tool.slice(target.tool.lastIndexOf('/') + 1)
  const hash = workspace.getAvailableTools().find((one) => one.name === name)?.hash
  // What was asked of the tool as it was is no question about the tool as it is.
  const isAsIs = (one: PendingConfirmation) => hash === undefined || one.hash === hash
  const owner = workspace.getToolSource(target.tool)
  const isIts = (one: PendingConfirmation) => owner === null || isConfirmationFor(one, { owner })
  return confirmations.find(
    (one) => one.tool === name && one.digest === digest && isAsIs(one) && isIts(one),
  )
}

/** The tool that is really called, and with what: our `call_tool` calls another one. */
export function callTarget(
  workspace: VirtualWorkspace,
  tool: string,
  input: unknown,
): { readonly tool: string; readonly input: unknown } {
  const isBridge = tool === 'call_tool' && workspace.getToolSource(tool)?.owner === META_OWNER
  return (isBridge ? bridgedTarget(input) : null) ?? { tool, input }
}

/** Null for what has no canonical form; the pipeline refuses such arguments. */
function digestOf(input: unknown): ContentHash | null {
  try {
    return contentHash(input ?? null)
  } catch {
    return null
  }
}
