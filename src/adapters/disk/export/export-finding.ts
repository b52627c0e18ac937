import type { Diagnostic } from '../../../kernel/diagnostic.ts'

/** What an export could not take along, or had to change. */
export type ExportCode =
  | 'export-changed'
  | 'export-left-out'
  | 'export-code-missing'
  | 'export-reaches-out'
  | 'export-not-portable'

/** A finding about something that is exported; nothing of it stops the export. */
export function exportFinding(
  code: ExportCode,
  message: string,
  hint: string,
  file?: string,
): Diagnostic {
  return { code, severity: 'warning', message, hint, ...(file !== undefined && { file }) }
}
