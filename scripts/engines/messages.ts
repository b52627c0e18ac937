/** An order to a worker. */
export interface Order {
  /** `answer` says yes to the question of a turn, for an engine whose workers do that. */
  readonly type: 'run' | 'answer'
  readonly session: string
}

/** A report of a worker. */
export type Report =
  | { readonly type: 'ready' }
  | { readonly type: 'asked'; readonly session: string; readonly question: string }
  | {
      readonly type: 'ended'
      readonly session: string
      readonly text: string
      /** The questions in the log. */
      readonly asked: number
      readonly entries: number
      /** The entries that replay. */
      readonly replayed: number
    }
