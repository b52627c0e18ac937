/** How much a finding matters: an `error` means the item was not loaded. */
export type Severity = 'error' | 'warning' | 'info'

/** One finding about a definition: what is wrong, where, and what to do. */
export interface Diagnostic {
  /** Stable, kebab-case, for programs. */
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
