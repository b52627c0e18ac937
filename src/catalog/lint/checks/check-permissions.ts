import { didYouMean } from '../../../kernel/did-you-mean.ts'
import type { Diagnostic } from '../../../kernel/diagnostic.ts'
import { matchesPattern } from '../../../kernel/matches-pattern.ts'
import { nearestNames } from '../../../kernel/nearest-names.ts'
import { Findings } from '../../../skills/parse/findings.ts'
import { type LintSkill, placeOf } from './lint-skill.ts'

/** Tools that coding agents bring themselves and skills ask for by these names. */
const OF_CLIENTS: ReadonlySet<string> = new Set(
  (
    'Agent AskUserQuestion Bash BashOutput Edit ExitPlanMode Glob Grep KillShell LS LSP MultiEdit ' +
    'NotebookEdit NotebookRead Read Skill SlashCommand Task TodoRead TodoWrite WebFetch WebSearch Write'
  ).split(' '),
)

/** Patterns of `allowed-tools` that match no tool there is. They grant nothing either way. */
export function checkPermissions(
  skill: LintSkill,
  tools: ReadonlySet<string>,
): readonly Diagnostic[] {
  const findings = new Findings(skill.file)
  const place = placeOf(skill, 'allowed-tools')
  for (const permission of skill.skill?.permissions ?? []) {
    const [pattern = ''] = permission.split('(', 1)
    if (isMatched(pattern, tools)) continue
    const ofClient = OF_CLIENTS.has(pattern) || pattern.startsWith('mcp__')
    const shown = permission.slice(0, 100)
    if (ofClient) {
      findings.add(
        'info',
        'allowed-tools-unmatched',
        `allowed-tools asks for "${shown}", a tool of the program that runs the skill: none of that name is defined here.`,
        'It has no effect in a workspace without such a tool.',
        place,
      )
      continue
    }
    findings.add(
      'warning',
      'allowed-tools-unmatched',
      `allowed-tools asks for "${shown}", which matches no tool.`,
      didYouMean(nearestNames(pattern, tools, 2), 'Correct the pattern, or take it out.'),
      place,
    )
  }
  return findings.list
}

function isMatched(pattern: string, tools: ReadonlySet<string>): boolean {
  if (!pattern.includes('*')) return tools.has(pattern)
  return [...tools].some((name) => matchesPattern(pattern, name))
}
