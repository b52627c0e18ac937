import type { UiState } from '../context/ui-state.ts'

/**
 * Moves through the messages that the person wrote in this conversation. The one that is being written is after the last
 * of them.
 */
export function recallMessage(state: UiState, by: -1 | 1): UiState {
  const { chat, writing } = state
  const { said, recalled, draft } = chat
  const at = recalled ?? said.length
  const to = at + by
  if (writing === null || to < 0 || to > said.length) return state
  const isDraft = to === said.length
  const text = isDraft ? draft : (said[to] ?? '')
  return {
    ...state,
    writing: { text, cursor: text.length },
    chat: {
      ...chat,
      recalled: isDraft ? null : to,
      draft: recalled === null ? writing.text : draft,
    },
  }
}
