import type { Place } from '../../../skills/parse/findings.ts'
import type { DiagnosticRule } from '../codes/diagnostic-group.ts'
import type { LintSkill } from './lint-skill.ts'

/** What a rule says of one skill. */
interface ClientFinding {
  readonly message: string
  readonly hint: string
  readonly place?: Place | undefined
}

/** A limit of clients that the specification does not have, with where it was found. */
export interface ClientRule extends DiagnosticRule {
  readonly sources: readonly string[]
  check(skill: LintSkill): readonly ClientFinding[]
}
