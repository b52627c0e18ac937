import { useSyncExternalStore } from 'react'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import type { PlaygroundContext } from './playground-context.ts'
import type { UiState } from './ui-state.ts'
import type { SessionSnapshot } from '../../workspace/commands/session-store.ts'
import type { WorkspaceReader } from '../../workspace/virtual-workspace.ts'

/**
 * What a view shows of a screen or its session. The view is drawn anew, with all the others, when
 * that is another value or object.
 */
export function useShown<Shown>(
  { frames, ui }: Pick<PlaygroundContext, 'frames' | 'ui'>,
  select: (state: UiState) => Shown,
): Shown {
  return useSyncExternalStore(frames.subscribe, () => select(ui.getState()))
}

/** The facts of a session; pending changes are none yet. */
export function selectSessionState({ state }: SessionSnapshot): WorkspaceState {
  return state
}

/** The session at the moment shown. Draws anew when it changes, or another moment is shown. */
export function useReader(context: PlaygroundContext): WorkspaceReader {
  useShown(context, () => selectSessionState(context.workspace().store.getState()))
  return useShown(context, () => context.reader())
}
