import { CarnetError } from './carnet-error.ts'

/** A configuration, or a file that was named in code, cannot be used. */
export class ConfigError extends CarnetError {
  constructor(message: string, context?: Record<string, unknown>) {
    super(message, context)
    this.name = 'ConfigError'
  }
}

export function isConfigError(error: unknown): error is ConfigError {
  return error instanceof ConfigError
}
