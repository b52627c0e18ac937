import type { Diagnostic } from '../../kernel/diagnostic.ts'

/** The finding for a list of files that a limit ended. */
export function filesCut(folder: string, what: string): Diagnostic {
  return {
    code: 'files-cut',
    severity: 'warning',
    message: `The list of the skill's files is cut: it holds ${what}.`,
    hint: 'Remove files the skill does not need, or raise the limit.',
    file: folder,
  }
}
