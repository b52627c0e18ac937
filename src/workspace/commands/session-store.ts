import type { StoreApi } from 'zustand/vanilla'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'

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

/** Returns the reading half of a store. The snapshots that it hands out are frozen. */
export function readonlyStore(store: SessionStore): ReadonlySessionStore {
  function subscribe<Selected>(
    first: (now: SessionSnapshot, before: SessionSnapshot) => Selected,
    listener?: (now: Selected, before: Selected) => void,
  ): () => void {
    if (listener === undefined) {
      return store.subscribe((now, before) => first(Object.freeze(now), Object.freeze(before)))
    }
    const selector: (snapshot: SessionSnapshot) => Selected = first as never
    return store.subscribe((now, before) => {
      const selected = selector(Object.freeze(now))
      const last = selector(Object.freeze(before))
      if (!Object.is(selected, last)) listener(selected, last)
    })
  }
  return Object.freeze<ReadonlySessionStore>({
    getState: () => Object.freeze(store.getState()),
    getInitialState: () => Object.freeze(store.getInitialState()),
    subscribe,
  })
}
