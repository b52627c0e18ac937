/**
 * The base of what Carnet throws. Its classes, fields and messages are those of the published
 * package, because its users catch and compare them.
 */
export class CarnetError extends Error {
  readonly context: Record<string, unknown> | undefined

  constructor(message: string, context?: Record<string, unknown>) {
    super(message)
    this.name = 'CarnetError'
    this.context = context
  }

  toJSON(): { name: string; message: string; context: Record<string, unknown> | undefined } {
    return { name: this.name, message: this.message, context: this.context }
  }
}

export function isCarnetError(error: unknown): error is CarnetError {
  return error instanceof CarnetError
}
