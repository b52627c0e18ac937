import type { SkillStatus } from '../../../engine/standing/assess-skill.ts'

/** Writes the status of a skill for a table: `off` for an inactive one that no model may load. */
export function skillStatusText(status: SkillStatus, off = false): string {
  if (!off) return status
  return status === 'inactive' ? 'off' : `${status}, off`
}
