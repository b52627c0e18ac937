/**
 * Why a call failed. The first twelve are those of the published tools architecture;
 * the rest are ours.
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
  /** The tool is known but would be refused now: `details.status` says why. */
  UNAVAILABLE: 'UNAVAILABLE',
  /** A permission rule, or a person, said no. */
  DENIED: 'DENIED',
  /** The definition has no handler in this process. */
  UNBOUND: 'UNBOUND',
  TIMEOUT: 'TIMEOUT',
  ABORTED: 'ABORTED',
  /** The handler returned what its output schema, JSON or the size limit refuses. */
  BAD_OUTPUT: 'BAD_OUTPUT',
} as const

export type ErrorType = (typeof ErrorType)[keyof typeof ErrorType]

/** What follows from an error type unless the handler itself says otherwise. */
export interface ErrorTraits {
  /** The same call may succeed later, unchanged. */
  readonly retryable: boolean
  /** Something may have happened before the failure. */
  readonly partialSideEffects: boolean
}

const beforeExecution: ErrorTraits = { retryable: false, partialSideEffects: false }

const unexpected: ErrorTraits = { retryable: false, partialSideEffects: true }

/** The one table from type to traits: before execution false and false, unexpected partial. */
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
 * What a handler throws to fail with a type of its own; anything else it throws is `INTERNAL`.
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
