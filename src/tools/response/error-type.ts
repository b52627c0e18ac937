/**
 * The reason why a call failed. The first twelve types are from the published tools architecture, the
 * others are ours.
 */
export const ErrorType = {
  VALIDATION: 'VALIDATION',
  NOT_FOUND: 'NOT_FOUND',
  INTERNAL: 'INTERNAL',
  MODE_RESTRICTED: 'MODE_RESTRICTED',
  BUDGET_EXCEEDED: 'BUDGET_EXCEEDED',
  CONFIRMATION_REQUIRED: 'CONFIRMATION_REQUIRED',
  SESSION_INACTIVE: 'SESSION_INACTIVE',
  TRANSIENT: 'TRANSIENT',
  PERMANENT: 'PERMANENT',
  CONFLICT: 'CONFLICT',
  AUTH: 'AUTH',
  RATE_LIMIT: 'RATE_LIMIT',
  /** The tool is known, but a call would be refused now; `details.status` has the reason. */
  UNAVAILABLE: 'UNAVAILABLE',
  /** A permission rule or a person denied the call. */
  DENIED: 'DENIED',
  /** The definition has no handler in this process. */
  UNBOUND: 'UNBOUND',
  TIMEOUT: 'TIMEOUT',
  ABORTED: 'ABORTED',
  /** The handler returned a value that its output schema, JSON or the size limit refuses. */
  BAD_OUTPUT: 'BAD_OUTPUT',
} as const

export type ErrorType = (typeof ErrorType)[keyof typeof ErrorType]

/** Properties of an error type, unless the handler overrides them. */
export interface ErrorTraits {
  /** True if the same call may succeed later. */
  readonly retryable: boolean
  /** True if the call may have had effects before it failed. */
  readonly partialSideEffects: boolean
}

const beforeExecution: ErrorTraits = { retryable: false, partialSideEffects: false }

const unexpected: ErrorTraits = { retryable: false, partialSideEffects: true }

/** The traits of each error type. */
export const ERROR_TRAITS: Readonly<Record<ErrorType, ErrorTraits>> = {
  VALIDATION: beforeExecution,
  NOT_FOUND: beforeExecution,
  INTERNAL: unexpected,
  MODE_RESTRICTED: beforeExecution,
  BUDGET_EXCEEDED: beforeExecution,
  CONFIRMATION_REQUIRED: beforeExecution,
  SESSION_INACTIVE: beforeExecution,
  TRANSIENT: { retryable: true, partialSideEffects: false },
  PERMANENT: beforeExecution,
  CONFLICT: beforeExecution,
  AUTH: beforeExecution,
  RATE_LIMIT: { retryable: true, partialSideEffects: false },
  UNAVAILABLE: beforeExecution,
  DENIED: beforeExecution,
  UNBOUND: beforeExecution,
  TIMEOUT: unexpected,
  ABORTED: unexpected,
  BAD_OUTPUT: unexpected,
}

/**
 * An error that a handler throws to fail with a type. Any other thrown value is `INTERNAL`.
 *
 *     throw new ToolError('RATE_LIMIT', 'The shop allows ten refunds a minute.')
 */
export class ToolError extends Error {
  override readonly name = 'ToolError'
  readonly type: ErrorType
  readonly retryable: boolean
  readonly partialSideEffects: boolean
  readonly details: Readonly<Record<string, unknown>>

  constructor(
    type: ErrorType,
    message: string,
    options: Partial<ErrorTraits> & { readonly details?: Readonly<Record<string, unknown>> } = {},
  ) {
    super(message)
    this.type = type
    this.retryable = options.retryable ?? ERROR_TRAITS[type].retryable
    this.partialSideEffects = options.partialSideEffects ?? ERROR_TRAITS[type].partialSideEffects
    this.details = options.details ?? {}
  }

  static is(value: unknown): value is ToolError {
    return value instanceof Error && value.name === 'ToolError' && 'type' in value
  }
}
