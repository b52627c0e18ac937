import type { Diagnostic } from '../../kernel/diagnostic.ts'

/** Where a finding is, to stand before its message: `skills/a/SKILL.md:3:1: `; empty for no file. */
export function diagnosticPlace({
  file,
  line,
  column,
}: Pick<Diagnostic, 'file' | 'line' | 'column'>): string {
  if (file === undefined) return ''
  const at = [file, line, column].filter((part) => part !== undefined)
  return `${at.join(':')}: `
}
