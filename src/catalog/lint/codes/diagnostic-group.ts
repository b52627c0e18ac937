import type { Severity } from '../../../kernel/diagnostic.ts'
import type { LintLevel } from './lint-level.ts'

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
