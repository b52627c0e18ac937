import type { HistoryMessage } from './history-message.ts'

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
 * @param read returns the host's message; undefined for one of the workspace
 */
export function trimHistory<T>(
  messages: readonly T[],
  { above, keep }: TrimOptions,
  read: (message: T) => HistoryMessage | undefined,
): readonly T[] {
  if (messages.length <= above) return messages
  const block = Math.max(1, above - keep)
  const cut = Math.ceil((messages.length - above) / block) * block
  const own = messages.map(read)
  const first = own.findIndex((message) => message?.role === 'user')
  const from = safeCut(own, Math.min(cut, messages.length - 1))
  const kept = messages.slice(from)
  const opening = messages[first]
  return opening === undefined || first >= from ? kept : [opening, ...kept]
}

/** Returns the last index, at or before a cut, from which no message refers to an earlier one. */
function safeCut(messages: readonly (HistoryMessage | undefined)[], cut: number): number {
  const open = new Set<string>()
  const closedAt = messages.map((message) => {
    for (const call of message?.calls ?? []) open.add(call)
    for (const { call } of message?.results ?? []) open.delete(call)
    return open.size === 0
  })
  // A message may be left out only with everything that belongs to it.
  for (let from = cut; from > 0; from -= 1) {
    if (closedAt[from - 1] === true && messages[from]?.role !== 'results') return from
  }
  return 0
}
