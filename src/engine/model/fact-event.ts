/** An event about the facts that conditions of skills depend on. */
export interface FactEvent {
  readonly type: 'fact.noted'
  /** Files that were used, relative to the folder of the project; absent for none. */
  readonly paths?: readonly string[]
  /** An event that a condition names; absent for none. */
  readonly event?: string
  /** The event no longer holds. */
  readonly holds?: false
}

/** The facts that were noted. Calls, the mode and the principal are facts, too; they are elsewhere in the state. */
export interface FactState {
  readonly facts: {
    /** The first file for each pattern of the catalog that one matched. */
    readonly paths: readonly { readonly path: string; readonly seq: number }[]
    /** The events that hold. */
    readonly events: readonly { readonly event: string; readonly seq: number }[]
    /** The entry that set the mode. */
    readonly modeSince: number
  }
}

export const EMPTY_FACTS: FactState = { facts: { paths: [], events: [], modeSince: 0 } }
