import type { Diagnostic } from '../../../kernel/diagnostic.ts'
import type { LogPosition } from './log-position.ts'

/** The finding about bytes after the last whole append: they were never acknowledged. */
export function unfinishedNotice(end: LogPosition, bytes: number, file?: string): Diagnostic {
  return {
    code: 'log-unfinished-append',
    severity: 'warning',
    message: `The last ${bytes} bytes are no whole append; they are not read.`,
    hint: 'Either it is being written at this moment, or a crash cut it short; nobody was told it was done.',
    line: end.lines + 1,
    ...(file !== undefined && { file }),
  }
}
