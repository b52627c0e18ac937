import type { PlaygroundContext } from '../context/playground-context.ts'
import { showTab } from '../context/screen-pane.ts'
import { useShown } from '../context/use-shown.ts'

/** The id of the tab that describes the row under the cursor. */
export const WHY = 'why'

/** Opens the description of the row under the cursor of a list. */
export function openWhy({ ui }: PlaygroundContext): void {
  ui.setState((state) => ({ ...showTab(state, WHY), focus: WHY, opened: null }))
}

/** Opens the row under the cursor of a tab, which Esc returns to. */
export function openRow({ ui }: Pick<PlaygroundContext, 'ui'>, tab: string): void {
  ui.setState((state) => ({ ...showTab(state, WHY), focus: WHY, opened: tab }))
}

/** Returns true for the list that has the focus, or whose row the tab with the focus is about. */
export function useIsPointed(context: PlaygroundContext, list: string, focused: boolean): boolean {
  return useShown(context, (state) => state.list === list) || focused
}
