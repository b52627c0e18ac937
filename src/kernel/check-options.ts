import { isObject } from './json-value.ts'
import { didYouMean, nearestNames } from './nearest-names.ts'
import { WorkspaceError } from './workspace-error.ts'

/**
 * The options that a function takes: `true` for any value, `text`, `number`, `switch` for true or false, `function`,
 * `signal` for an `AbortSignal`, or the texts that an option may have.
 */
export type OptionTable = Readonly<
  Record<string, true | 'text' | 'number' | 'switch' | 'function' | 'signal' | readonly string[]>
>

/**
 * Checks the options of a call. Throws `OPTIONS_INVALID` for an unknown option, and for a value that an
 * option cannot have, with the nearest known one.
 *
 * Types report both in TypeScript. This check also covers JavaScript, where a misspelt option would be
 * ignored.
 *
 * @param prefix the start of the names of these options, such as `policy.`
 */
export function checkOptions(given: unknown, known: OptionTable, prefix = ''): void {
  const names = Object.keys(known)
  if (!isObject(given)) {
    const what = prefix === '' ? 'The options are' : `"${prefix.slice(0, -1)}" is`
    throw invalidOption(prefix.slice(0, -1), `${what} not an object.`, optionsAre(names))
  }
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue
    const option = `${prefix}${name}`
    const values = Object.hasOwn(known, name) ? known[name] : undefined
    if (values === undefined) {
      const hint = didYouMean(nearestNames(name, names, 1), optionsAre(names))
      throw invalidOption(option, `"${option}" is not an option.`, hint)
    }
    if (values === 'text') checkedText(value, option)
    else if (values === 'number') checkNumber(value, option)
    else if (values === 'switch') checkedSwitch(value, option)
    else if (values === 'function') checkFunction(value, option)
    else if (values === 'signal') checkSignal(value, option)
    else if (values !== true) checkValue(option, value, values)
  }
}

function optionsAre(names: readonly string[]): string {
  return names.length === 0 ? 'There are no options.' : `The options are ${names.join(', ')}.`
}

function checkValue(option: string, value: unknown, values: readonly string[]): void {
  if (typeof value === 'string' && values.includes(value)) return
  const nearest = typeof value === 'string' ? nearestNames(value, values, 1) : []
  const shown = typeof value === 'string' ? `be "${value}"` : 'have this value'
  const listed = values.map((one) => `"${one}"`).join(', ')
  throw invalidOption(
    option,
    `"${option}" cannot ${shown}.`,
    didYouMean(nearest, `Use one of ${listed}.`),
  )
}

/** Returns a text. Throws `OPTIONS_INVALID` for another value. `what` is the name of the parameter. */
export function checkedText(value: unknown, what: string): string {
  if (typeof value === 'string') return value
  throw invalidOption(what, `"${what}" must be text.`, 'Give a name or an id as text.')
}

function checkNumber(value: unknown, what: string): void {
  if (typeof value === 'number' && !Number.isNaN(value)) return
  throw invalidOption(what, `"${what}" must be a number.`, 'Give a number, and not text or a date.')
}

/** Returns true or false. Throws `OPTIONS_INVALID` for another value: the text "false" must not count as true. */
export function checkedSwitch(value: unknown, what: string): boolean {
  if (typeof value === 'boolean') return value
  throw invalidOption(what, `"${what}" must be true or false.`, 'Give true or false, not text.')
}

function checkFunction(value: unknown, what: string): void {
  if (typeof value === 'function') return
  throw invalidOption(what, `"${what}" must be a function.`, 'Give a function, or leave it out.')
}

function checkSignal(value: unknown, what: string): void {
  if (value instanceof AbortSignal) return
  throw invalidOption(
    what,
    `"${what}" must be an AbortSignal.`,
    'Give the signal of an AbortController, or AbortSignal.timeout(milliseconds).',
  )
}

/** Creates the error for an option. */
export function invalidOption(option: string, message: string, hint: string): WorkspaceError {
  return new WorkspaceError('OPTIONS_INVALID', message, { facts: { option }, hint })
}
