import { isObject } from '../../kernel/json-value.ts'

/** The expected value of a keyword, in words and as a test. */
export interface KeywordShape {
  readonly expected: string
  readonly fits: (value: unknown) => boolean
}

const TYPES: readonly unknown[] = [
  'object',
  'array',
  'string',
  'number',
  'integer',
  'boolean',
  'null',
]

const number: KeywordShape = { expected: 'a number', fits: (value) => typeof value === 'number' }
const count: KeywordShape = {
  expected: 'a whole number, 0 or more',
  fits: (value) => Number.isInteger(value) && Number(value) >= 0,
}
const text: KeywordShape = { expected: 'text', fits: (value) => typeof value === 'string' }
const schema: KeywordShape = { expected: 'a schema (an object, true or false)', fits: isSchema }
const schemas: KeywordShape = {
  expected: 'a list of schemas',
  fits: (value) => Array.isArray(value) && value.length > 0 && value.every(isSchema),
}
const namedSchemas: KeywordShape = {
  expected: 'an object of schemas',
  fits: (value) => isObject(value) && Object.values(value).every(isSchema),
}

/** Keywords that affect validation, with the values that JSON Schema requires. */
export const KEYWORD_SHAPES: ReadonlyMap<string, KeywordShape> = new Map(
  Object.entries<KeywordShape>({
    type: {
      expected: `one of ${TYPES.join(', ')}, or a list of them`,
      fits: (value) => {
        const types = Array.isArray(value) ? value : [value]
        return types.length > 0 && types.every((type) => TYPES.includes(type))
      },
    },
    enum: {
      expected: 'a list with at least one value',
      fits: (value) => isList(value) && value.length > 0,
    },
    const: { expected: 'any value', fits: () => true },
    minimum: number,
    maximum: number,
    exclusiveMinimum: number,
    exclusiveMaximum: number,
    multipleOf: { expected: 'a number above 0', fits: (value) => Number(value) > 0 },
    minLength: count,
    maxLength: count,
    minItems: count,
    maxItems: count,
    minContains: count,
    maxContains: count,
    minProperties: count,
    maxProperties: count,
    uniqueItems: { expected: 'true or false', fits: (value) => typeof value === 'boolean' },
    required: { expected: 'a list of names', fits: isNames },
    dependentRequired: {
      expected: 'an object of lists of names',
      fits: (value) => isObject(value) && Object.values(value).every(isNames),
    },
    dependencies: {
      expected: 'an object of schemas or lists of names',
      fits: (value) =>
        isObject(value) && Object.values(value).every((one) => isSchema(one) || isNames(one)),
    },
    $ref: text,
    $dynamicRef: text,
    $anchor: text,
    $dynamicAnchor: text,
    pattern: text,
    properties: namedSchemas,
    patternProperties: namedSchemas,
    dependentSchemas: namedSchemas,
    $defs: namedSchemas,
    definitions: namedSchemas,
    allOf: schemas,
    anyOf: schemas,
    oneOf: schemas,
    prefixItems: schemas,
    items: {
      expected: 'a schema, or a list of schemas as in older drafts',
      fits: (value) => isSchema(value) || schemas.fits(value),
    },
    not: schema,
    if: schema,
    then: schema,
    else: schema,
    additionalItems: schema,
    unevaluatedItems: schema,
    contains: schema,
    additionalProperties: schema,
    unevaluatedProperties: schema,
    propertyNames: schema,
  }),
)

function isSchema(value: unknown): boolean {
  return typeof value === 'boolean' || isObject(value)
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}

function isNames(value: unknown): boolean {
  return isList(value) && value.every((name) => typeof name === 'string')
}
