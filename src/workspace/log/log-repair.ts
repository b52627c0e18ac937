import type { LogDamage } from './log-damage.ts'

/** What was found in a log, and what became of it. */
export interface LogRepair {
  readonly file: string
  /** Every damaged session; none when the log is what was written. */
  readonly damages: readonly LogDamage[]
  /** Definitions that were taken out because they are not what was written. */
  readonly definitions: number
  /** The file as it was before; null when nothing was changed. */
  readonly copy: string | null
}
