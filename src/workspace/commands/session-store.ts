import type { StoreApi } from 'zustand/vanilla'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'

/** What a view selects from: the folded state, and the change that is on its way. */
export interface SessionSnapshot {
  readonly state: WorkspaceState
  /** Skills whose hooks are running; the log has nothing of it yet. */
  readonly pending: readonly string[]
}

export type SessionStore = StoreApi<SessionSnapshot>

/** The store as views have it: only the journal and the dispatcher write. */
export type ReadonlySessionStore = Pick<SessionStore, 'getState' | 'getInitialState' | 'subscribe'>
