import { ErrorType } from '../../../tools/response/error-type.ts'

/** True for the name of an error type; handlers make names up. */
export function isErrorType(value: unknown): value is ErrorType {
  return typeof value === 'string' && Object.hasOwn(ErrorType, value)
}
