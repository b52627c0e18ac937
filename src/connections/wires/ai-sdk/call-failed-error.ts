import { ErrorType } from '../../../entries/index.ts'
import { ERROR_TRAITS } from '../../../tools/response/error-type.ts'
import { thrownLine } from '../../../workspace/calls/handlers/internal-error.ts'
import type { ToolFailure } from '../../../tools/response/tool-response.ts'

/** The error of a call that failed or was refused, in `tool-error` parts of the SDK. */
export class CallFailedError extends Error {
  override readonly name = 'CallFailedError'
  /** The envelope, with the type of the error, its details, and the entry in the log. */
  readonly response: ToolFailure

  constructor(response: ToolFailure) {
    super(failureText(response))
    this.response = response
  }

  /** Returns the text that the SDK gives to the model. What a handler threw begins with the name of the error. */
  override toString(): string {
    const { type, details } = this.response.error
    return type === ErrorType.INTERNAL && typeof details['name'] === 'string'
      ? `${details['name']}: ${this.message}`
      : this.message
  }
}

/**
 * Returns a failure as one text: its type and message. Traits follow only where they differ from those of the
 * type. Of an exception of a handler it is the message alone.
 */
function failureText({ error }: ToolFailure): string {
  const { type, message, retryable, partialSideEffects, details } = error
  if (type === ErrorType.INTERNAL) return thrownLine(error)
  const traits = ERROR_TRAITS[type]
  const hasOwnDetails = Object.keys(details).length > 0 && !Object.hasOwn(details, 'code')
  const facts = {
    ...(retryable !== traits.retryable && { retryable }),
    ...(partialSideEffects !== traits.partialSideEffects && { partialSideEffects }),
    ...(hasOwnDetails && { details }),
  }
  return Object.keys(facts).length === 0
    ? `${type}: ${message}`
    : `${type}: ${message} ${JSON.stringify(facts)}`
}
