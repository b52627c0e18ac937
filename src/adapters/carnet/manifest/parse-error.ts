import { CarnetError } from './carnet-error.ts'

/** A file cannot be read as what it should be. */
export class ParseError extends CarnetError {
  readonly filePath: string | undefined
  /** From 1. */
  readonly lineNumber: number | undefined

  constructor(
    message: string,
    filePath?: string,
    lineNumber?: number,
    context?: Record<string, unknown>,
  ) {
    super(message, context)
    this.name = 'ParseError'
    this.filePath = filePath
    this.lineNumber = lineNumber
  }
}

export function isParseError(error: unknown): error is ParseError {
  return error instanceof ParseError
}
