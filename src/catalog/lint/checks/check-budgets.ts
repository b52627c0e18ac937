import type { Diagnostic } from '../../../kernel/diagnostic.ts'
import type { TokenCounter } from '../../../kernel/token-counter.ts'
import { Findings } from '../../../skills/parse/findings.ts'
import type { LintSkill } from './lint-skill.ts'

/** The specification's advice for instructions. */
const MAX_LINES = 500
const MAX_TOKENS = 5_000

/** What a skill costs more than it should: the lines and tokens of its instructions. */
export function checkBudgets(skill: LintSkill, counter: TokenCounter): readonly Diagnostic[] {
  const findings = new Findings(skill.file)
  const place = { line: skill.bodyLine, column: 1 }
  const hint = 'Move parts that are not always needed into files of the skill, and link to them.'
  const lines = skill.body.trim() === '' ? 0 : skill.body.trim().split('\n').length
  if (lines > MAX_LINES) {
    findings.add(
      'warning',
      'instructions-lines',
      `The instructions have ${lines} lines; ${MAX_LINES} are advised.`,
      hint,
      place,
    )
  }
  const tokens = counter.count(skill.body)
  if (tokens > MAX_TOKENS) {
    findings.add(
      'warning',
      'instructions-tokens',
      `The instructions have ${tokens} tokens (${counter.name}); ${MAX_TOKENS} are advised.`,
      hint,
      place,
    )
  }
  if (lines === 0 && skill.skill !== null && brings(skill.skill) === 0) {
    findings.add(
      'warning',
      'instructions-missing',
      'The skill has no instructions and brings no tools: activating it changes nothing.',
      'Write below the front matter what to do.',
      place,
    )
  }
  return findings.list
}

function brings(skill: NonNullable<LintSkill['skill']>): number {
  const { tools, toolsets, requires } = skill
  return tools.length + toolsets.length + skill.extends.length + requires.length
}
