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

/**
 * The names that changed since 0.1.0-alpha.5. Old ones are deprecated for one minor version. Five moved from
 * `loadout/adapter` to `loadout/log`: the program leaves their imports, which work for as long.
 */
export const RENAMED: readonly Renamed[] = [
  { kind: 'name', from: 'Explanation', to: 'Verdict' },
  { kind: 'member', from: 'tokenizer', to: 'figures.tokenizer', of: 'VirtualWorkspace' },
  { kind: 'member', from: 'metrics', to: 'figures.metrics', of: 'VirtualWorkspace' },
  { kind: 'member', from: 'resetMetrics', to: 'figures.resetMetrics', of: 'VirtualWorkspace' },
  { kind: 'member', from: 'health', to: 'figures.health', of: 'VirtualWorkspace' },
  { kind: 'member', from: 'ledger', to: 'figures.ledger', of: 'VirtualWorkspace' },
  { kind: 'member', from: 'child', to: 'sessions.child', of: 'VirtualWorkspace' },
  { kind: 'member', from: 'fork', to: 'sessions.fork', of: 'VirtualWorkspace' },
  { kind: 'member', from: 'look', to: 'sessions.look', of: 'VirtualWorkspace' },
  { kind: 'member', from: 'follow', to: 'sessions.follow', of: 'VirtualWorkspace' },
  { kind: 'member', from: 'call', to: 'calls.report', of: 'VirtualWorkspace' },
  { kind: 'member', from: 'awaitCall', to: 'calls.waitFor', of: 'VirtualWorkspace' },
  { kind: 'member', from: 'wrapCalls', to: 'calls.wrap', of: 'VirtualWorkspace' },
  { kind: 'member', from: 'recordIntent', to: 'calls.recordIntent', of: 'VirtualWorkspace' },
  { kind: 'member', from: 'sentName', to: 'calls.sentName', of: 'VirtualWorkspace' },
  { kind: 'member', from: 'asksFirst', to: 'approvals.asksFirst', of: 'VirtualWorkspace' },
  { kind: 'member', from: 'asksAbout', to: 'approvals.asksAbout', of: 'VirtualWorkspace' },
  { kind: 'member', from: 'revokeApproval', to: 'approvals.revoke', of: 'VirtualWorkspace' },
]
