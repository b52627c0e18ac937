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

/** An error for people, with what it is about on lines of their own, as Carnet prints it. */
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

/** An error must never fail to be told: what has no JSON is told in another way. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return String(value)
  }
}
