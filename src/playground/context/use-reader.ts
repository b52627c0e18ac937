import type { WorkspaceState } from '../../engine/model/state.ts'
import type { SessionSnapshot } from '../../workspace/commands/session-store.ts'
import type { WorkspaceReader } from '../../workspace/workspace-reader.ts'
import type { PlaygroundContext } from './playground-context.ts'
import { useShown } from './use-shown.ts'

/** The facts of a session; pending changes are none yet. */
export function selectState({ state }: SessionSnapshot): WorkspaceState {
  return state
}

/** The session at the moment shown. Draws anew when it changes, or another moment is shown. */
export function useReader(context: PlaygroundContext): WorkspaceReader {
  useShown(context, () => selectState(context.workspace().store.getState()))
  return useShown(context, () => context.reader())
}
