/**
 * How much is asked of definitions, from least to most: what the specification's reference validator
 * asks, what known clients ask beside it, and what this project can tell beside that.
 */
export const LINT_LEVELS = ['spec', 'portable', 'native'] as const

export type LintLevel = (typeof LINT_LEVELS)[number]

/** Whether findings that begin at the level `from` are told at `level`. */
export function includesLevel(level: LintLevel, from: LintLevel): boolean {
  return LINT_LEVELS.indexOf(from) <= LINT_LEVELS.indexOf(level)
}
