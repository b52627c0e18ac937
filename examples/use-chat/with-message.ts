import { isToolUIPart, type UIMessage } from 'ai'

/**
 * Returns stored messages with the one that a browser sent; null when it does not fit them. Of an answer of the assistant
 * it takes only the yes or no to open questions: a browser could write anything else into it.
 */
export function withMessage(stored: readonly UIMessage[], sent: UIMessage): UIMessage[] | null {
  const last = stored.at(-1)
  if (sent.role === 'user') {
    if (stored.some(({ id }) => id === sent.id)) return [...stored]
    if (last !== undefined && hasQuestion(last)) return null
    return [...stored, { id: sent.id, role: 'user', parts: textsIn(sent) }]
  }
  if (last?.id !== sent.id || !hasQuestion(last)) return null
  const answers = new Map(
    sent.parts.flatMap((part) =>
      isToolUIPart(part) && part.state === 'approval-responded'
        ? [[part.approval.id, part.approval.approved]]
        : [],
    ),
  )
  const parts = last.parts.map((part) => {
    if (!isToolUIPart(part) || part.state !== 'approval-requested') return part
    const approved = answers.get(part.approval.id)
    if (approved === undefined) return part
    const approval = { ...part.approval, approved }
    return { ...part, state: 'approval-responded' as const, approval }
  })
  const answered = { ...last, parts }
  return hasQuestion(answered) ? null : [...stored.slice(0, -1), answered]
}

function hasQuestion({ parts }: UIMessage): boolean {
  return parts.some((part) => isToolUIPart(part) && part.state === 'approval-requested')
}

/** A browser that sends files needs them here, too. */
function textsIn({ parts }: UIMessage): UIMessage['parts'] {
  return parts.flatMap((part) => (part.type === 'text' ? { type: part.type, text: part.text } : []))
}
