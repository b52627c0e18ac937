import type { HistoryMessage } from './history-message.ts'
import type { OptionsOf } from '../../../kernel/check-options.ts'

/** Limits beyond which messages are left out of a request. */
export interface TrimOptions {
  /** Number of the host's messages above which some are left out. */
  readonly above: number
  /** Approximate number of the latest messages that stay; fewer than `above`. */
  readonly keep: number
}

export const TRIM_OPTIONS: OptionsOf<TrimOptions> = { above: 'number', keep: 'number' }

/** The messages of a history that a request carries. */
export interface KeptHistory {
  /** The index of the first message of the user, when it is before the others that stay; else null. */
  readonly opening: number | null
  /** The index from which all messages stay. */
  readonly from: number
}

/** A history of which nothing is left out. */
export const WHOLE_HISTORY: KeptHistory = { opening: null, from: 0 }

/**
 * Leaves out the middle of a long conversation: the first message of the user and the latest
 * messages stay. A call is never separated from its result, nor a question from its answer.
 *
 * The cut moves in blocks of `above - keep` messages, so that the prefix is kept between two cuts. It depends
 * on the host's messages alone: those of the workspace are forgotten once they are left out.
 */
export function trimHistory(
  messages: readonly HistoryMessage[],
  { above, keep }: TrimOptions,
): KeptHistory {
  if (messages.length <= above) return WHOLE_HISTORY
  const block = Math.max(1, above - keep)
  const cut = Math.ceil((messages.length - above) / block) * block
  const first = messages.findIndex(({ role }) => role === 'user')
  const from = safeCut(messages, Math.min(cut, messages.length - 1))
  return { opening: first >= 0 && first < from ? first : null, from }
}

/** Returns the last index, at or before a cut, from which no message refers to an earlier one. */
function safeCut(messages: readonly HistoryMessage[], cut: number): number {
  const open = new Set<string>()
  const closedAt = messages.map((message) => {
    for (const call of message.calls ?? []) open.add(call)
    for (const { call } of message.results ?? []) open.delete(call)
    return open.size === 0
  })
  // A message may be left out only with everything that belongs to it.
  for (let from = cut; from > 0; from -= 1) {
    if (closedAt[from - 1] === true && messages[from]?.role !== 'results') return from
  }
  return 0
}
