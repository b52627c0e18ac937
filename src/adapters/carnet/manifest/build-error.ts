import { CarnetError } from './carnet-error.ts'

/** Building a manifest failed, in some phase of it. */
export class BuildError extends CarnetError {
  readonly phase: string | undefined

  constructor(message: string, phase?: string, context?: Record<string, unknown>) {
    super(message, context)
    this.name = 'BuildError'
    this.phase = phase
  }
}

export function isBuildError(error: unknown): error is BuildError {
  return error instanceof BuildError
}
