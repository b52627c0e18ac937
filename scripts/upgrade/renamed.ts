/** A name of the package that has a new one. */
export interface Renamed {
  /** A member of a class, an exported name, or the name of an entry, such as `loadout/plan`. */
  readonly kind: 'member' | 'name' | 'path'
  readonly from: string
  /** The new name. That of a member that is in a group now has a dot: `figures.metrics`. */
  readonly to: string
  /** The class of a member. */
  readonly of?: string
}

/** The names that changed since 0.1.0-alpha.5. Between entries none moved. */
export const RENAMED: readonly Renamed[] = [{ kind: 'name', from: 'Explanation', to: 'Verdict' }]
