/** What being a fork leaves in a session. */
export interface ForkState {
  /** The session it was forked from last, and the last entry taken of it; null for an original. */
  readonly forkedFrom: { readonly session: string; readonly seq: number } | null
}

export const EMPTY_FORK: ForkState = { forkedFrom: null }
