import { useSyncExternalStore } from 'react'
import type { SessionSnapshot, WorkspaceReader, WorkspaceState } from '../../../entries/index.ts'
import { requestTokens } from '../../../entries/plan.ts'
import type { PlaygroundContext } from './playground-context.ts'
import type { UiState } from './ui-state.ts'

/**
 * Selects a value of the screen or its session. The view is drawn again, in one frame with all others,
 * when the value changes.
 */
export function useShown<Shown>(
  { frames, ui }: Pick<PlaygroundContext, 'frames' | 'ui'>,
  select: (state: UiState) => Shown,
): Shown {
  return useSyncExternalStore(frames.subscribe, () => select(ui.getState()))
}

/** Selects the state of a session, without pending changes. */
export function selectSessionState({ state }: SessionSnapshot): WorkspaceState {
  return state
}

/** Returns the tokens of the next request; 0 when they are not known. */
export function useNextTokens(context: PlaygroundContext): number {
  const next = useShown(context, context.next)
  return next === null ? 0 : requestTokens(next.cost)
}

/** Returns the session at the moment shown. The view is drawn again when either changes. */
export function useReader(context: PlaygroundContext): WorkspaceReader {
  useShown(context, () => selectSessionState(context.workspace().store.getState()))
  return useShown(context, () => context.reader())
}
