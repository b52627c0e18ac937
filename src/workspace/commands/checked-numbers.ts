import { isObject } from '../../kernel/json-value.ts'
import { nearestNames } from '../../kernel/nearest-names.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'

interface NumbersToCheck<Numbers extends object> {
  /** The name of the option, such as `limits`. */
  readonly option: string
  /** The code of the error. */
  readonly code: string
  readonly defaults: Numbers
  /** Members without a default. */
  readonly others?: readonly string[]
  /** Members that must be more than 0. */
  readonly positive?: readonly string[]
}

/**
 * Merges the numbers that a host gives over their defaults. An undefined member counts as absent.
 *
 * Throws for a value that is no limit. Every comparison with NaN is false, so a NaN from a badly read
 * configuration would mean no limit at all.
 */
export function checkedNumbers<Numbers extends object>(
  given: unknown,
  { option, code, defaults, others = [], positive = [] }: NumbersToCheck<Numbers>,
): Numbers {
  if (given === undefined) return defaults
  const known = [...Object.keys(defaults), ...others]
  if (!isObject(given)) {
    throw invalidNumber(code, option, given, `it is an object of ${known.join(', ')}`)
  }
  const numbers = Object.entries(given).filter(([, value]) => value !== undefined)
  for (const [name, value] of numbers) {
    const member = `${option}.${name}`
    if (!known.includes(name)) throw unknownNumber(code, member, name, known)
    if (typeof value !== 'number' || !(value >= 0)) {
      throw invalidNumber(code, member, value, 'it is a number, and not negative')
    }
    if (value === 0 && positive.includes(name)) {
      throw invalidNumber(code, member, value, 'it is more than 0')
    }
  }
  return { ...defaults, ...Object.fromEntries(numbers) }
}

function invalidNumber(code: string, option: string, value: unknown, why: string): WorkspaceError {
  const shown = typeof value === 'string' ? JSON.stringify(value) : String(value)
  return new WorkspaceError(code, `${option} is ${shown}: ${why}.`, {
    facts: { option },
    hint: 'Correct it, or leave it out for the default.',
  })
}

function unknownNumber(
  code: string,
  option: string,
  name: string,
  known: readonly string[],
): WorkspaceError {
  const [nearest] = nearestNames(name, known)
  return new WorkspaceError(code, `${option} is not known.`, {
    facts: { option, known },
    hint: `${nearest === undefined ? '' : `Did you mean "${nearest}"? `}There are ${known.join(', ')}.`,
  })
}
