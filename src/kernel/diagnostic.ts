/** The severity of a finding. `error` means that the item was not loaded. */
export type Severity = 'error' | 'warning' | 'info'

/** A finding about a definition: the problem, its place, and what to do about it. */
export interface Diagnostic {
  /** Stable and in kebab-case, for programs. */
  readonly code: string
  readonly severity: Severity
  readonly message: string
  readonly hint: string
  readonly file?: string
  /** 1-based. */
  readonly line?: number
  /** 1-based. */
  readonly column?: number
}
