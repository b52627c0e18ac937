import type { Diagnostic, Severity } from '../../kernel/diagnostic.ts'

/** A place in a file. Line and column are 1-based. */
export interface Place {
  readonly line: number
  readonly column: number
  /** Set if the place is in another file than the one that is read. */
  readonly file?: string
}

/** The place of findings about a complete file. */
export const FILE_START: Place = { line: 1, column: 1 }

/** Collects the findings of reading one file, in order. */
export class Findings {
  readonly #file: string
  readonly #found: Diagnostic[] = []

  constructor(file: string) {
    this.#file = file
  }

  add(severity: Severity, code: string, message: string, hint: string, place?: Place): void {
    this.#found.push({
      code,
      severity,
      message,
      hint,
      file: place?.file ?? this.#file,
      ...(place && { line: place.line, column: place.column }),
    })
  }

  /** Adds findings of another file that belongs to this one. */
  include(found: readonly Diagnostic[]): void {
    this.#found.push(...found)
  }

  get list(): readonly Diagnostic[] {
    return [...this.#found]
  }

  /** True if a finding prevents the file from being used. */
  get failed(): boolean {
    return this.#found.some(({ severity }) => severity === 'error')
  }
}
