import type { Severity } from '../../../kernel/diagnostic.ts'

/** The documentation of one code. */
export interface DiagnosticRule {
  /** The usual severity first. */
  readonly severity: readonly [Severity, ...Severity[]]
  readonly what: string
  readonly hint: string
  /** Pages that the rule was taken from. */
  readonly sources?: readonly string[]
}

/** Codes with the same origin. */
export interface DiagnosticGroup {
  readonly title: string
  readonly origin: string
  /** The level of `loadout lint` from which they are reported; null if lint never reports them. */
  readonly level: LintLevel | null
  readonly codes: Readonly<Record<string, DiagnosticRule>>
}

/**
 * The levels of lint, from least to most strict: the specification's reference validator, then also
 * known clients, then also the checks of this project.
 */
export const LINT_LEVELS = ['spec', 'portable', 'native'] as const

export type LintLevel = (typeof LINT_LEVELS)[number]
