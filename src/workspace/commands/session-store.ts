import type { StoreApi } from 'zustand/vanilla'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import { deepFreeze } from '../../kernel/json-value.ts'

/** The data that views select from: the folded state, and the change in progress. */
export interface SessionSnapshot {
  readonly state: WorkspaceState
  /** Skills whose hooks are running; the log has no entry of them yet. */
  readonly pending: readonly string[]
}

export type SessionStore = StoreApi<SessionSnapshot>

/** The reading half of the store, for views. Only the journal and the dispatcher write to the other half. */
export interface ReadonlySessionStore {
  getState(): SessionSnapshot
  getInitialState(): SessionSnapshot
  /** Calls the listener after each change; returns the function that unsubscribes. */
  subscribe(listener: (now: SessionSnapshot, before: SessionSnapshot) => void): () => void
  /** Calls the listener after each change of the selected value, compared by `Object.is`. */
  subscribe<Selected>(
    selector: (snapshot: SessionSnapshot) => Selected,
    listener: (now: Selected, before: Selected) => void,
  ): () => void
}

/** Returns the reading half of a store. The snapshots that it hands out are frozen at every depth. */
export function readonlyStore(store: SessionStore): ReadonlySessionStore {
  function subscribe<Selected>(
    first: (now: SessionSnapshot, before: SessionSnapshot) => Selected,
    listener?: (now: Selected, before: Selected) => void,
  ): () => void {
    if (listener === undefined) {
      return store.subscribe((now, before) => first(deepFreeze(now), deepFreeze(before)))
    }
    const selector: (snapshot: SessionSnapshot) => Selected = first as never
    return store.subscribe((now, before) => {
      const selected = selector(deepFreeze(now))
      const last = selector(deepFreeze(before))
      if (!Object.is(selected, last)) listener(selected, last)
    })
  }
  return Object.freeze<ReadonlySessionStore>({
    getState: () => deepFreeze(store.getState()),
    getInitialState: () => deepFreeze(store.getInitialState()),
    subscribe,
  })
}
