import { nearestNames } from '../../kernel/nearest-names.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'

interface NumbersToCheck<Numbers extends object> {
  /** What the host calls them, such as `limits`. */
  readonly option: string
  /** The code of what is thrown. */
  readonly code: string
  readonly defaults: Numbers
  /** Members beside those that have a default. */
  readonly others?: readonly string[]
  /** Members of which 0 would leave nothing. */
  readonly positive?: readonly string[]
}

/**
 * Numbers that a host gives, over their defaults; one that is undefined counts as not given.
 *
 * Throws for what is no limit. Every comparison with NaN is false, so a number that was read wrongly
 * from a configuration would not be a wrong limit, but none.
 */
export function checkedNumbers<Numbers extends object>(
  given: unknown,
  { option, code, defaults, others = [], positive = [] }: NumbersToCheck<Numbers>,
): Numbers {
  if (given === undefined) return defaults
  const known = [...Object.keys(defaults), ...others]
  if (typeof given !== 'object' || given === null) {
    throw invalidNumber(code, option, given, `it is an object of ${known.join(', ')}`)
  }
  const said = Object.entries(given).filter(([, value]) => value !== undefined)
  for (const [name, value] of said) {
    const member = `${option}.${name}`
    if (!known.includes(name)) throw unknownNumber(code, member, name, known)
    if (typeof value !== 'number' || !(value >= 0)) {
      throw invalidNumber(code, member, value, 'it is a number, and not negative')
    }
    if (value === 0 && positive.includes(name)) {
      throw invalidNumber(code, member, value, 'it is more than 0')
    }
  }
  return { ...defaults, ...Object.fromEntries(said) }
}

function invalidNumber(code: string, option: string, value: unknown, why: string): WorkspaceError {
  const told = typeof value === 'string' ? JSON.stringify(value) : String(value)
  return new WorkspaceError(code, `${option} is ${told}: ${why}.`, {
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
