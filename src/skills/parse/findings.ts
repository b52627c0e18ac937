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

/** Returns the place of an offset of a text with `\n` line breaks. */
export function placeAt(text: string, offset: number): Place {
  const lines = text.slice(0, offset).split('\n')
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}

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

  /** Adds an error, and returns null for what cannot be read because of it. */
  refuse(code: string, message: string, hint: string, place?: Place): null {
    this.add('error', code, message, hint, place)
    return null
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
