import type { Refusal } from '../../engine/decide/decision.ts'
import { ErrorType } from '../../tools/response/error-type.ts'
import { responseError, type ResponseError } from '../../tools/response/tool-response.ts'
import { shorten } from '../commands/shorten.ts'

/** A refused call as the error of its envelope, with the refusal's own code in `details.code`. */
export function refusalError({ code, message, hint, facts }: Refusal): ResponseError {
  const told = hint === '' ? message : `${message} ${hint}`
  return responseError(typeOf(code), shorten(told), {
    code,
    hint: shorten(hint),
    ...shortened(facts),
  })
}

/** Facts may quote what a model gave, such as the name of an argument. */
function shortened<T>(facts: T): T {
  const short = (fact: unknown): unknown => {
    if (typeof fact === 'string') return shorten(fact)
    if (Array.isArray(fact)) return fact.map(short)
    if (typeof fact !== 'object' || fact === null) return fact
    return Object.fromEntries(Object.entries(fact).map(([name, one]) => [name, short(one)]))
  }
  return short(facts) as T
}

/** Refusals the table leaves out are of tools that are known but cannot be called now. */
function typeOf(code: string): ErrorType {
  return TYPES.get(code) ?? ErrorType.UNAVAILABLE
}

const TYPES: ReadonlyMap<string, ErrorType> = new Map([
  ['unknown', ErrorType.NOT_FOUND],
  ['input-invalid', ErrorType.VALIDATION],
  ['denied', ErrorType.DENIED],
  ['confirmation-denied', ErrorType.DENIED],
  ['confirmation-required', ErrorType.CONFIRMATION_REQUIRED],
  ['blocked-by-mode', ErrorType.MODE_RESTRICTED],
  ['budget-spent', ErrorType.BUDGET_EXCEEDED],
  ['too-deep', ErrorType.BUDGET_EXCEEDED],
  ['unbound', ErrorType.UNBOUND],
])
