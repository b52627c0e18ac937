import type { Diagnostic } from '../../kernel/diagnostic.ts'

type Make = (message: string, hint: string, file?: string) => Diagnostic

const finding = (code: string, message: string, hint: string, file?: string): Diagnostic => ({
  code,
  severity: 'warning',
  message,
  hint,
  ...(file !== undefined && { file }),
})

const changed: Make = (...said) => finding('export-changed', ...said)
const leftOut: Make = (...said) => finding('export-left-out', ...said)
const codeMissing: Make = (...said) => finding('export-code-missing', ...said)
const reachesOut: Make = (...said) => finding('export-reaches-out', ...said)
const notPortable: Make = (...said) => finding('export-not-portable', ...said)

/** Findings about what is exported, by what became of it; none of them stops the export. */
export const exportFinding = { changed, leftOut, codeMissing, reachesOut, notPortable } as const
