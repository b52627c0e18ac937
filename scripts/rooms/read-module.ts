import { parseSync, type Program } from 'oxc-parser'
import { readExports, type ExportFact } from './read-exports.ts'
import { readImports, type ImportFact } from './read-imports.ts'

/** A source file, parsed. */
export interface Module {
  /** Relative to the project, with forward slashes. */
  readonly path: string
  readonly program: Program
  readonly imports: readonly ImportFact[]
  readonly exports: readonly ExportFact[]
  /** The first thing the parser stumbled over. */
  readonly syntaxError?: string
  /** 1-based line of an offset. */
  lineAt(offset: number): number
}

export function readModule(path: string, text: string): Module {
  const { program, errors } = parseSync(path, text)
  return {
    path,
    program,
    imports: readImports(program),
    exports: readExports(program),
    ...(errors[0] !== undefined && { syntaxError: errors[0].message }),
    lineAt: (offset) => text.slice(0, offset).split('\n').length,
  }
}
