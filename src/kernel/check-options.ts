import { isObject } from './json-value.ts'
import { didYouMean, nearestNames } from './nearest-names.ts'
import { WorkspaceError } from './workspace-error.ts'

/**
 * The values that an option may have: `true` for any, a kind, the texts that it may be, or the table of an
 * object with options of its own.
 */
export type OptionKind = true | keyof typeof KINDS | readonly (string | false)[] | OptionTable

/** The options that a function takes. */
export interface OptionTable {
  readonly [option: string]: OptionKind
}

/** A table with every option of a type. */
export type OptionsOf<Options> = { readonly [Name in keyof Options]-?: OptionKind }

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
    if (typeof values === 'string') checkKind(value, option, values)
    else if (isValues(values)) checkValue(option, value, values)
    else if (values !== true) checkOptions(value, values, `${option}.`)
  }
}

/** Checks a record of options, some of which are required. Throws `OPTIONS_INVALID`, also for one that is missing. */
export function checkRecord(
  given: unknown,
  known: OptionTable,
  ...required: readonly string[]
): void {
  checkOptions(given, known)
  const missing = required.find(
    (name) => (given as Readonly<Record<string, unknown>>)[name] === undefined,
  )
  if (missing === undefined) return
  throw invalidOption(missing, `"${missing}" is missing.`, `Required: ${required.join(', ')}.`)
}

function isValues(kind: OptionKind): kind is readonly (string | false)[] {
  return Array.isArray(kind)
}

function optionsAre(names: readonly string[]): string {
  return names.length === 0 ? 'There are no options.' : `The options are ${names.join(', ')}.`
}

function checkValue(option: string, value: unknown, values: readonly (string | false)[]): void {
  if (values.includes(value as string | false)) return
  const nearest = typeof value === 'string' ? nearestNames(value, values.filter(isText), 1) : []
  const shown = typeof value === 'string' ? `be "${value}"` : 'have this value'
  const listed = values.map((one) => JSON.stringify(one)).join(', ')
  throw invalidOption(
    option,
    `"${option}" cannot ${shown}.`,
    didYouMean(nearest, `Use one of ${listed}.`),
  )
}

/** A check of a value, the end of the sentence about a wrong one, and what to give. */
type KindCheck = readonly [is: (value: unknown) => boolean, what: string, hint: string]

const isText = (value: unknown): value is string => typeof value === 'string'

const KINDS = {
  text: [isText, 'text', 'Give a name, an id or a path as text.'],
  'text or null': [
    (value) => isText(value) || value === null,
    'text or null',
    'Give text, or null for none.',
  ],
  number: [
    (value) => typeof value === 'number' && !Number.isNaN(value),
    'a number',
    'Give a number, and not text or a date.',
  ],
  switch: [(value) => typeof value === 'boolean', 'true or false', 'Give true or false, not text.'],
  function: [
    (value) => typeof value === 'function',
    'a function',
    'Give a function, or leave it out.',
  ],
  signal: [
    (value) => value instanceof AbortSignal,
    'an AbortSignal',
    'Give the signal of an AbortController, or AbortSignal.timeout(milliseconds).',
  ],
  list: [Array.isArray, 'a list', 'Give a list, also of one.'],
  texts: [
    (value) => Array.isArray(value) && value.every(isText),
    'a list of texts',
    'Give a list, also of one text.',
  ],
  object: [isObject, 'an object', 'Give an object, or leave it out.'],
  iterable: [
    (value) => typeof value === 'object' && value !== null && Symbol.iterator in value,
    'a list',
    'Give a list, and await what returns one.',
  ],
} as const satisfies Readonly<Record<string, KindCheck>>

/** Checks one value. Throws `OPTIONS_INVALID` for one of another kind. `what` is the name of the parameter. */
export function checkKind(value: unknown, what: string, kind: keyof typeof KINDS): void {
  const [is, noun, hint] = KINDS[kind]
  if (!is(value)) throw invalidOption(what, `"${what}" must be ${noun}.`, hint)
}

/** Returns a text. Throws `OPTIONS_INVALID` for another value. `what` is the name of the parameter. */
export function checkedText(value: unknown, what: string): string {
  checkKind(value, what, 'text')
  return value as string
}

/** Creates the error for an option. */
export function invalidOption(option: string, message: string, hint: string): WorkspaceError {
  return new WorkspaceError('OPTIONS_INVALID', message, { facts: { option }, hint })
}
