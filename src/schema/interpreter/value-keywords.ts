import { canonicalJson } from '../../kernel/canonical-json.ts'
import { isObject, type JsonSchema } from '../../kernel/json-value.ts'
import { keywordValue } from './subschemas.ts'

/** Facts about a fault: what was expected. */
export type FaultParams = Readonly<Record<string, unknown>>

/** A keyword that looks at a value itself, and not at its members. */
interface ValueKeyword {
  readonly fits: (value: unknown) => boolean
  /** Returns the params of each fault of a value that does not fit. */
  readonly faults: (value: unknown) => readonly FaultParams[]
}

type CreateKeyword = (expected: never, schema: JsonSchema) => ValueKeyword

/** The keywords of a schema that look at the value itself, in the order in which their faults are reported. */
export function valueKeywords(
  schema: JsonSchema,
): readonly (ValueKeyword & { readonly keyword: string })[] {
  return KEYWORDS.flatMap(([keyword, create]) => {
    const expected = keywordValue(schema, keyword)
    if (expected === undefined) return []
    return [{ keyword, ...create(expected as never, schema) }]
  })
}

const TYPE_TESTS: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isObject,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  number: Number.isFinite,
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
}

const isNumber = (value: unknown): value is number => Number.isFinite(value)

const one = (fits: (value: unknown) => boolean, params: FaultParams): ValueKeyword => ({
  fits,
  faults: () => [params],
})

const bound =
  (comparison: string, fits: (value: number, limit: number) => boolean): CreateKeyword =>
  (limit: number) =>
    one((value) => !isNumber(value) || fits(value, limit), { comparison, limit })

/** Bounds the size of one kind of value. Other values have no size. */
function size(
  count: (value: unknown) => number | undefined,
  fits: (size: number, limit: number) => boolean,
): CreateKeyword {
  return (limit: number) =>
    one(
      (value) => {
        const found = count(value)
        return found === undefined || fits(found, limit)
      },
      { limit },
    )
}

const least = (found: number, limit: number) => found >= limit
const most = (found: number, limit: number) => found <= limit
const countItems = (value: unknown) => (Array.isArray(value) ? value.length : undefined)
const countMembers = (value: unknown) => (isObject(value) ? Object.keys(value).length : undefined)

function countCharacters(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined
  let count = 0
  for (const _ of value) count += 1
  return count
}

/** Names that an object lacks, each with more facts. */
function missing(find: (value: object) => readonly FaultParams[]): ValueKeyword {
  const faults = (value: unknown) => (isObject(value) ? find(value) : [])
  return { fits: (value) => faults(value).length === 0, faults }
}

function together(names: Readonly<Record<string, unknown>>): ValueKeyword {
  return missing((value) =>
    Object.entries(names).flatMap(([property, others]) =>
      Array.isArray(others) && Object.hasOwn(value, property)
        ? others
            .filter((name) => !Object.hasOwn(value, name))
            .map((missingProperty) => ({ property, missingProperty }))
        : [],
    ),
  )
}

/** Compares by value. Only JSON values are equal to one of a schema. */
function isEqual(expected: unknown): (value: unknown) => boolean {
  if (typeof expected !== 'object' || expected === null) return (value) => value === expected
  const text = canonicalJson(expected)
  return (value) => typeof value === 'object' && value !== null && canonicalJson(value) === text
}

/** A fraction such as 19.99 is a multiple of 0.01, although dividing the two is not exact. */
function isMultiple(value: number, divisor: number): boolean {
  const quotient = value / divisor
  return Math.abs(quotient - Math.round(quotient)) <= Math.abs(quotient) * 2 * Number.EPSILON
}

const KEYWORDS: readonly (readonly [string, CreateKeyword])[] = [
  [
    'type',
    (type: string | readonly string[]) => {
      const tests = [type].flat().map((name) => TYPE_TESTS[name] ?? (() => false))
      const [only] = tests
      const fits =
        tests.length === 1 && only !== undefined
          ? only
          : (value: unknown) => tests.some((test) => test(value))
      return one(fits, { type })
    },
  ],
  ['const', (allowedValue: unknown) => one(isEqual(allowedValue), { allowedValue })],
  [
    'enum',
    (allowedValues: readonly unknown[]) => {
      const simple = new Set(allowedValues.filter((value) => typeof value !== 'object'))
      const others = allowedValues.filter((value) => typeof value === 'object').map(isEqual)
      const fits = (value: unknown) => simple.has(value) || others.some((equals) => equals(value))
      return one(fits, { allowedValues })
    },
  ],
  ['maximum', bound('<=', most)],
  ['minimum', bound('>=', least)],
  ['exclusiveMaximum', bound('<', (value, limit) => value < limit)],
  ['exclusiveMinimum', bound('>', (value, limit) => value > limit)],
  [
    'multipleOf',
    (multipleOf: number) =>
      one((value) => !isNumber(value) || isMultiple(value, multipleOf), { multipleOf }),
  ],
  ['maxLength', size(countCharacters, most)],
  ['minLength', size(countCharacters, least)],
  ['maxItems', size(countItems, most)],
  ['minItems', size(countItems, least)],
  [
    'uniqueItems',
    (isUnique: boolean) =>
      one(
        (value) =>
          !isUnique ||
          !Array.isArray(value) ||
          new Set(value.map((item) => canonicalJson(item))).size === value.length,
        {},
      ),
  ],
  ['maxProperties', size(countMembers, most)],
  ['minProperties', size(countMembers, least)],
  [
    'required',
    (names: readonly string[]) =>
      missing((value) =>
        names
          .filter((name) => !Object.hasOwn(value, name))
          .map((missingProperty) => ({ missingProperty })),
      ),
  ],
  ['dependentRequired', together],
  ['dependencies', together],
]
