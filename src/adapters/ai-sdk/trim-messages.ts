import type { ModelMessage } from 'ai'

/** When messages are left out of a request, and how many stay. */
export interface TrimOptions {
  /** More messages than this, ours among them, are too many. */
  readonly above: number
  /** About how many of the latest stay; fewer than `above`. */
  readonly keep: number
}

/**
 * Leave out the middle of a long conversation: the first message of the user stays, and the
 * latest ones. A call is never parted from its result, nor a question from its answer.
 *
 * The cut moves in blocks of `above - keep` messages, so between two cuts the prefix is kept.
 *
 * @param isOurs tells a message of the workspace, which is not the first of the user
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

/** The last place at or before a cut from which on nothing refers to what is before it. */
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
  // A message may be left out only with all that belongs to it.
  for (let from = cut; from > 0; from -= 1) {
    if (closedAt[from - 1] === true && messages[from]?.role !== 'tool') return from
  }
  return 0
}

/** The calls a message opens, and those its results end. */
function ends({ role, content }: ModelMessage): readonly (readonly [string, boolean])[] {
  if ((role !== 'assistant' && role !== 'tool') || typeof content === 'string') return []
  const found: (readonly [string, boolean])[] = []
  for (const part of content) {
    if (part.type === 'tool-call') found.push([part.toolCallId, false])
    else if (part.type === 'tool-result') found.push([part.toolCallId, true])
  }
  return found
}
