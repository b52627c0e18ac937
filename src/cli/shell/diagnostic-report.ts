import type { Diagnostic } from '../../kernel/diagnostic.ts'

/** A finding with every key there, as `--json` prints it. */
export interface DiagnosticReport {
  readonly code: string
  readonly severity: Diagnostic['severity']
  readonly message: string
  readonly hint: string
  readonly file: string | null
  readonly line: number | null
  readonly column: number | null
}

/** A finding as it is printed, null where it has no place. */
export function diagnosticReport(finding: Diagnostic): DiagnosticReport {
  const { code, severity, message, hint, file = null, line = null, column = null } = finding
  return { code, severity, message, hint, file, line, column }
}
