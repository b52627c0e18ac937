import type { Diagnostic } from '../../../kernel/diagnostic.ts'
import { Findings } from '../../../skills/parse/findings.ts'
import { CLIENT_RULES } from './client-rules.ts'
import type { LintSkill } from './lint-skill.ts'

/** What known clients would not take, or not take whole, of a skill that the specification allows. */
export function checkClients(skill: LintSkill): readonly Diagnostic[] {
  if (skill.text === null) return []
  const findings = new Findings(skill.file)
  for (const [code, { severity, check }] of Object.entries(CLIENT_RULES)) {
    for (const { message, hint, place } of check(skill)) {
      findings.add(severity[0], code, message, hint, place)
    }
  }
  return findings.list
}
