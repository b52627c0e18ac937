import { useSyncExternalStore } from 'react'
import type { PlaygroundContext } from './playground-context.ts'
import type { UiState } from './ui-state.ts'

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
