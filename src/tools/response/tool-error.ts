import { ERROR_TRAITS, type ErrorTraits, type ErrorType } from './error-type.ts'

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
