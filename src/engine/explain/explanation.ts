import type { FieldChange } from '../../catalog/diff-fields.ts'
import type { ToolSource } from '../model/source-event.ts'
import type { SkillStatus } from '../standing/assess-skill.ts'
import type { ToolStatus } from '../standing/tool-status.ts'

/** A status with the entries that led there and what would change it. */
export interface Explanation<Status = ToolStatus | SkillStatus> {
  readonly name: string
  readonly kind: 'tool' | 'skill'
  readonly status: Status
  readonly source: ToolSource | null
  readonly owner: string | null
  /** In the order it happened; the number is always an entry of the log. */
  readonly because: readonly Reason[]
  /** What to do about it; empty when nothing stands in the way. */
  readonly fix: string
  /**
   * How a definition in quarantine differs: of a tool from the one that was agreed to, of a skill from the
   * one that was activated.
   */
  readonly changes?: readonly FieldChange[]
  /** The nearest names, for a name that is not known. */
  readonly nearest: readonly string[]
}

/** One step of a "why": an entry of the log and what it means here. */
export interface Reason {
  readonly seq: number
  readonly text: string
}
