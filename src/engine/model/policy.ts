import { OPEN_LIMITS, type ModeLimits } from './mode-limits.ts'
import type { Rule } from './permission-rule.ts'

/**
 * What the `allowed-tools` of a skill comes to while the skill is active. `pre-approve`: what it names is
 * not asked about for the sake of the definition. `restrict`: nothing else is called.
 */
export type AllowedToolsEffect = 'ignore' | 'pre-approve' | 'restrict'

/**
 * What the host allows a session. A fact of the log, since it decides what a model could do:
 * who looks later sees by the policy of that moment.
 *
 * `deny` beats `ask`, which beats `allow`, which beats what a definition asks for
 * (`requiresConfirmation`), whatever the order and however narrow a rule is.
 */
export interface Policy {
  readonly mode: string
  readonly deny: readonly Rule[]
  readonly ask: readonly Rule[]
  /** Not asked about, though the definition wants it. It opens nothing that is refused. */
  readonly allow: readonly Rule[]
  readonly allowedTools: AllowedToolsEffect
  /** Those of the mode, with `callsPerTurn` in the place of its own. */
  readonly limits: ModeLimits
  /** What the host set in the place of a mode's: it holds in the next mode, too. */
  readonly callsPerTurn?: ModeLimits['callsPerTurn']
}

export const OPEN_POLICY: Policy = {
  mode: 'text',
  deny: [],
  ask: [],
  allow: [],
  allowedTools: 'ignore',
  limits: OPEN_LIMITS,
}
