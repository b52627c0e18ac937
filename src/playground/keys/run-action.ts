import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { note } from '../context/banner.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import type { UiStore } from '../context/ui-state.ts'
import type { Action } from '../context/action.ts'

/** Actions that are under way, by the store of their screen. */
const running = new WeakMap<UiStore, number>()

/**
 * Run an action. What it throws or rejects with becomes a banner, never the end of the screen;
 * while it takes its time, the screen says what is under way. Resolves when it has ended.
 */
export async function runAction(
  { title, run }: Pick<Action, 'title' | 'run'>,
  context: PlaygroundContext,
): Promise<void> {
  const { ui } = context
  try {
    const ending = run(context)
    if (ending === undefined) return
    running.set(ui, (running.get(ui) ?? 0) + 1)
    if (ui.getState().busy === null) ui.setState({ busy: title })
    await ending.finally(() => {
      const left = (running.get(ui) ?? 1) - 1
      running.set(ui, left)
      if (left === 0) ui.setState({ busy: null })
    })
  } catch (error) {
    tellOf(error, ui)
  }
}

function tellOf(error: unknown, ui: UiStore): void {
  const message = error instanceof Error ? error.message : String(error)
  const hint = WorkspaceError.is(error) ? error.hint : ''
  const text = [message, hint].filter((one) => one !== '').join(' ')
  ui.setState({
    banner: note('refused', text),
  })
}
