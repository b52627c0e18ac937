import type { ErrorObject } from 'ajv'
import type { JsonSchema } from '../../kernel/json.ts'
import { nearestNames } from '../../kernel/nearest-names.ts'
import { schemasInPlace } from './local-reference.ts'
import { isSchemaObject } from './subschemas.ts'
import { NO_LIMIT, UNIQUE_KEYWORD } from './own-keywords.ts'

/** Names or values spelt out in one message. */
const LIST_LIMIT = 20

/** Characters of one name or value in a message. */
const VALUE_LIMIT = 80

type Describe = (fault: ErrorObject, root: JsonSchema) => string

const COMPARISONS: Readonly<Record<string, string>> = {
  '>=': 'at least',
  '<=': 'at most',
  '>': 'above',
  '<': 'below',
}

/** What is wrong with one value, as the end of a sentence that begins with its place. */
export function describeFault(fault: ErrorObject, root: JsonSchema): string {
  return DESCRIPTIONS.get(fault.keyword)?.(fault, root) ?? `does not fit "${fault.keyword}"`
}

const limit: Describe = ({ params }) =>
  `must be ${COMPARISONS[String(params['comparison'])]} ${params['limit']}`

const size =
  (bound: string, unit: string): Describe =>
  ({ params }) =>
    `must have ${bound} ${params['limit']} ${unit}${params['limit'] === 1 ? '' : 's'}`

const contained: Describe = ({ params: { minContains, maxContains } }) => {
  const items = (count: unknown) => `${count} fitting item${count === 1 ? '' : 's'}`
  const least = `must hold at least ${items(minContains)}`
  return maxContains === NO_LIMIT ? least : `${least} and at most ${maxContains}`
}

const together: Describe = ({ params }) => `is required beside "${params['property']}"`

const DESCRIPTIONS: ReadonlyMap<string, Describe> = new Map<string, Describe>([
  ['required', () => 'is required'],
  [
    'additionalProperties',
    ({ params, ...fault }, root) => unknown(params['additionalProperty'], fault, root),
  ],
  [
    'unevaluatedProperties',
    ({ params, ...fault }, root) => unknown(params['unevaluatedProperty'], fault, root),
  ],
  [
    'type',
    ({ params, data }) => `must be ${orList([params['type']].flat())}, not ${typeName(data)}`,
  ],
  ['enum', ({ params, data }) => oneOf(params['allowedValues'] as readonly unknown[], data)],
  ['const', ({ params, data }) => oneOf([params['allowedValue']], data)],
  ['minimum', limit],
  ['maximum', limit],
  ['exclusiveMinimum', limit],
  ['exclusiveMaximum', limit],
  ['multipleOf', ({ params }) => `must be a multiple of ${params['multipleOf']}`],
  ['minLength', size('at least', 'character')],
  ['maxLength', size('at most', 'character')],
  ['minItems', size('at least', 'item')],
  ['maxItems', size('at most', 'item')],
  ['items', size('at most', 'item')],
  ['unevaluatedItems', ({ params }) => `must have at most ${params['len']} items`],
  ['minProperties', size('at least', 'member')],
  ['maxProperties', size('at most', 'member')],
  [UNIQUE_KEYWORD, () => 'must not hold the same item twice'],
  ['contains', contained],
  ['propertyNames', () => 'has a name that is not allowed'],
  ['dependentRequired', together],
  ['dependencies', together],
  ['not', () => 'has a form that is ruled out'],
  ['anyOf', () => 'fits none of the forms it may have'],
  [
    'oneOf',
    ({ params }) =>
      params['passingSchemas'] === null
        ? 'fits none of the forms it may have'
        : 'fits several forms where only one is allowed',
  ],
  ['false schema', () => 'is not allowed'],
])

function unknown(
  name: unknown,
  { parentSchema }: Pick<ErrorObject, 'parentSchema'>,
  root: JsonSchema,
): string {
  const known = knownNames(parentSchema, root)
  const [nearest] = nearestNames(String(name), known, 1)
  const meant = nearest === undefined ? '' : `; did you mean ${quote(nearest)}?`
  if (known.length === 0) return `${quote(name)} is unknown; nothing is expected here`
  return `${quote(name)} is unknown${meant}${meant === '' ? ';' : ''} known here: ${list(known)}`
}

function knownNames(schema: unknown, root: JsonSchema): readonly string[] {
  if (!isSchemaObject(schema)) return []
  const properties = [...schemasInPlace(schema, root)].map((one) => one['properties'])
  return [...new Set(properties.filter(isSchemaObject).flatMap((one) => Object.keys(one)))]
}

function oneOf(allowed: readonly unknown[], data: unknown): string {
  const names = allowed.filter((value) => typeof value === 'string')
  const [nearest] = typeof data === 'string' ? nearestNames(data, names, 1) : []
  const meant =
    nearest === undefined || allowed.length === 1 ? '' : `; did you mean ${quote(nearest)}?`
  return `must be ${allowed.length === 1 ? '' : 'one of '}${list(allowed)}${meant}`
}

function list(values: readonly unknown[]): string {
  const shown = values.slice(0, LIST_LIMIT).map(quote).join(', ')
  return values.length > LIST_LIMIT ? `${shown} and ${values.length - LIST_LIMIT} more` : shown
}

function quote(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > VALUE_LIMIT ? `${text.slice(0, VALUE_LIMIT)}…` : text
}

function orList(types: readonly unknown[]): string {
  return types.map(String).join(' or ')
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (value === undefined) return 'missing'
  return Array.isArray(value) ? 'array' : typeof value
}
