import type { Severity } from '../../../kernel/diagnostic.ts'

/** What the documentation says of one code. */
export interface DiagnosticRule {
  /** The first is the usual one. */
  readonly severity: readonly [Severity, ...Severity[]]
  readonly what: string
  readonly hint: string
  /** Pages the rule was taken from. */
  readonly sources?: readonly string[]
}

/** Codes that come from one place. */
export interface DiagnosticGroup {
  readonly title: string
  readonly origin: string
  /** The level of `loadout lint` from which they are told; null for those it never meets. */
  readonly level: LintLevel | null
  readonly codes: Readonly<Record<string, DiagnosticRule>>
}

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
