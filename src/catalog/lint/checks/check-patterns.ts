import type { Diagnostic } from '../../../kernel/diagnostic.ts'
import { matchesPattern } from '../../../kernel/matches-pattern.ts'
import type { Agent } from '../../../skills/definition/agent.ts'

/** A list of patterns, such as an agent's `tools` or a configuration's `permissions.deny`. */
export interface PatternList {
  /** Who says it, such as `The agent "writer"`. */
  readonly owner: string
  readonly field: string
  readonly patterns: readonly string[]
  readonly file?: string
}

/** The lists of patterns of an agent. */
export function patternsOf({ name, tools, pinned, path }: Agent): readonly PatternList[] {
  const from = { owner: `The agent "${name}"`, ...(path !== undefined && { file: path }) }
  return [
    { ...from, field: 'tools', patterns: tools ?? [] },
    { ...from, field: 'pinned', patterns: pinned ?? [] },
  ]
}

/**
 * Patterns that match no tool there is: a rule that was meant to hold and does not. Where there are
 * no tools at all, a program brings them, and nothing is known of those.
 */
export function checkPatterns(
  { owner, field, patterns, file }: PatternList,
  tools: ReadonlySet<string>,
): readonly Diagnostic[] {
  if (tools.size === 0) return []
  return patterns
    .filter((pattern) => ![...tools].some((name) => matchesPattern(pattern, name)))
    .map((pattern) => ({
      code: 'pattern-unmatched',
      severity: 'warning',
      message: `${owner} has the pattern "${pattern}" in ${field}, which matches no tool.`,
      hint: 'Correct it, or take it out; * stands for anything.',
      ...(file !== undefined && { file }),
    }))
}
