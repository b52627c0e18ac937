/**
 * The base class of Carnet's errors. Classes, fields and messages are those of the published
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

/** The error for an invalid manifest, or for an entry that it does not have. */
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

/** The error for a file that cannot be parsed. */
export class ParseError extends CarnetError {
  readonly filePath: string | undefined
  /** Starts at 1. */
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

/** The error for a configuration, or a file named in code, that cannot be used. */
export class ConfigError extends CarnetError {
  constructor(message: string, context?: Record<string, unknown>) {
    super(message, context)
    this.name = 'ConfigError'
  }
}

export function isConfigError(error: unknown): error is ConfigError {
  return error instanceof ConfigError
}

/** The error for a build of a manifest that failed, with its phase. */
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

/** Formats an error for people, with its details on separate lines, as Carnet prints it. */
export function formatError(error: unknown): string {
  if (!isCarnetError(error)) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  }
  const context = Object.entries(error.context ?? {})
  const lines = [
    `${error.name}: ${error.message}`,
    ...factsOf(error)
      .filter(([, fact]) => fact !== undefined && fact !== '' && fact !== 0)
      .map(([label, fact]) => `  ${label}: ${fact}`),
    ...(context.length === 0 ? [] : ['  Context:']),
    ...context.map(([key, value]) => `    ${key}: ${textOf(value)}`),
  ]
  return lines.join('\n')
}

function factsOf(error: CarnetError): readonly (readonly [string, string | number | undefined])[] {
  if (isParseError(error)) {
    return [
      ['File', error.filePath],
      ['Line', error.lineNumber],
    ]
  }
  if (isValidationError(error)) {
    return [
      ['Type', error.entityType],
      ['Name', error.entityName],
    ]
  }
  return isBuildError(error) ? [['Phase', error.phase]] : []
}

/**
 * Formats a value. A value without JSON is formatted in another way, so that printing an error
 * never fails.
 */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return String(value)
  }
}
