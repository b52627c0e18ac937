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

/** Facts that a host notes for the conditions of skills. */
export interface NotedFacts {
  /** Files that were used, relative to the folder of the project: at most 1,000. Others than those are left out. */
  readonly paths?: readonly string[]
  /** The name of an event. It holds until it is noted with `holds: false`. */
  readonly event?: string
  readonly holds?: boolean
}

/** A skill whose condition is settled: activated if it holds, deactivated if it has ended. */
export interface SettledSkill {
  readonly skill: string
  /** The approval of a person, where a rule asks. */
  readonly confirmation?: string
}

/** The facts that were noted. Calls, the mode and the principal are facts, too; they are elsewhere in the state. */
export interface FactState {
  readonly facts: {
    /** The first file for the patterns of each skill of the catalog. */
    readonly paths: readonly { readonly path: string; readonly seq: number }[]
    /** The events that hold. */
    readonly events: readonly { readonly event: string; readonly seq: number }[]
    /** The entry that set the mode. */
    readonly modeSince: number
  }
}

export const EMPTY_FACTS: FactState = { facts: { paths: [], events: [], modeSince: 0 } }
