import { CarnetError } from './carnet-error.ts'

/** A manifest is not one, or it has nothing of that kind and name. */
export class ValidationError extends CarnetError {
  /** `agent`, `skill`, `toolset`, `tool`, `file` or `manifest`. */
  readonly entityType: string | undefined
  readonly entityName: string | undefined

  constructor(
    message: string,
    entityType?: string,
    entityName?: string,
    context?: Record<string, unknown>,
  ) {
    super(message, context)
    this.name = 'ValidationError'
    this.entityType = entityType
    this.entityName = entityName
  }
}

export function isValidationError(error: unknown): error is ValidationError {
  return error instanceof ValidationError
}
