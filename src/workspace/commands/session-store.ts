import type { StoreApi } from 'zustand/vanilla'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'

/** The data that views select from: the folded state, and the change in progress. */
export interface SessionSnapshot {
  readonly state: WorkspaceState
  /** Skills whose hooks are running; the log has no entry of them yet. */
  readonly pending: readonly string[]
}

export type SessionStore = StoreApi<SessionSnapshot>

/** The store for views: only the journal and the dispatcher write to it. */
export type ReadonlySessionStore = Pick<SessionStore, 'getState' | 'getInitialState' | 'subscribe'>
