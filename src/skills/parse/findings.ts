import type { Diagnostic, Severity } from '../../kernel/diagnostic.ts'

/** A place in a file, both counted from 1. */
export interface Place {
  readonly line: number
  readonly column: number
  /** When it is not the file that is read, but one beside it. */
  readonly file?: string
}

/** Where a finding stands that is about a file as a whole. */
export const FILE_START: Place = { line: 1, column: 1 }

/** Collects what is found while one file is read, in the order it is found. */
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

  /** Add what was found in another file that belongs to this one. */
  include(found: readonly Diagnostic[]): void {
    this.#found.push(...found)
  }

  get list(): readonly Diagnostic[] {
    return [...this.#found]
  }

  /** True when something found keeps the file from being used. */
  get failed(): boolean {
    return this.#found.some(({ severity }) => severity === 'error')
  }
}
