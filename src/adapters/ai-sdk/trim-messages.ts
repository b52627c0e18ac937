import type { ModelMessage } from 'ai'

/** Limits beyond which messages are left out of a request. */
export interface TrimOptions {
  /** Number of messages, including those of the workspace, above which some are left out. */
  readonly above: number
  /** Approximate number of the latest messages that stay; fewer than `above`. */
  readonly keep: number
}

/**
 * Leaves out the middle of a long conversation: the first message of the user and the latest
 * messages stay. A call is never separated from its result, nor a question from its answer.
 *
 * The cut moves in blocks of `above - keep` messages, so that the prefix is kept between two cuts.
 *
 * @param isOurs recognises a message of the workspace, which does not count as the user's first
 */
export function trimMessages(
  messages: readonly ModelMessage[],
  { above, keep }: TrimOptions,
  isOurs: (message: ModelMessage) => boolean = () => false,
): readonly ModelMessage[] {
  if (messages.length <= above) return messages
  const block = Math.max(1, above - keep)
  const cut = Math.ceil((messages.length - above) / block) * block
  const first = messages.findIndex((message) => message.role === 'user' && !isOurs(message))
  const from = safeCut(messages, Math.min(cut, messages.length - 1))
  const kept = messages.slice(from)
  const opening = messages[first]
  return opening === undefined || first >= from ? kept : [opening, ...kept]
}

/** Returns the last index, at or before a cut, from which no message refers to an earlier one. */
function safeCut(messages: readonly ModelMessage[], cut: number): number {
  const opened = new Map<string, number>()
  let open = 0
  const closedAt = messages.map((message, index) => {
    for (const [id, isLast] of ends(message)) {
      if (isLast) open -= opened.delete(id) ? 1 : 0
      else if (!opened.has(id)) {
        opened.set(id, index)
        open += 1
      }
    }
    return open === 0
  })
  // A message may be left out only with everything that belongs to it.
  for (let from = cut; from > 0; from -= 1) {
    if (closedAt[from - 1] === true && messages[from]?.role !== 'tool') return from
  }
  return 0
}

/** Returns the calls that a message opens, and those that its results end. */
function ends({ role, content }: ModelMessage): readonly (readonly [string, boolean])[] {
  if ((role !== 'assistant' && role !== 'tool') || typeof content === 'string') return []
  const found: (readonly [string, boolean])[] = []
  for (const part of content) {
    if (part.type === 'tool-call') found.push([part.toolCallId, false])
    else if (part.type === 'tool-result') found.push([part.toolCallId, true])
  }
  return found
}
