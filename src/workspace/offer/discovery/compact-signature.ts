import { isObject, type JsonSchema } from '../../../kernel/json-value.ts'
import { sanitiseLine } from '../../../kernel/sanitise-text.ts'

/** A tool's arguments on one line; `isCut` when the line says less than their names and types. */
export interface Signature {
  readonly text: string
  readonly isCut: boolean
}

/** Characters of types; with more, arguments are told by their names alone. */
const MAX_TYPES_LENGTH = 360
/** Names of arguments, values of an enum and members of a union that are told one by one. */
const MAX_COUNTS = { names: 16, values: 8, members: 6 } as const
/** Objects within objects are told to this depth, then as `object`. */
const MAX_DEPTH = 2
/** Types that are told of one schema: references to what is large would make any number of them. */
const MAX_TYPES = 300

/**
 * A signature such as `cms_getPage(slug: string, withSections?: boolean)`, from a schema that may
 * be anybody's. Arguments stand in the order of the schema; optional ones end with `?`.
 */
export function compactSignature(name: string, schema: JsonSchema): Signature {
  const told: SignatureWriter = { root: schema, types: 0, isCut: false }
  const typed = members(schema, told, 0)
  const text = `${name}(${typed.join(', ')})`
  return text.length - name.length > MAX_TYPES_LENGTH
    ? namedSignature(name, schema)
    : { text, isCut: told.isCut }
}

/** A signature without types: `cms_getPage(slug, withSections?)`. */
export function namedSignature(name: string, schema: JsonSchema): Signature {
  const names = argumentNames(schema)
  const shown = names.slice(0, MAX_COUNTS.names)
  const rest = names.length > shown.length ? [...shown, '…'] : shown
  return { text: `${name}(${rest.join(', ')})`, isCut: names.length > 0 }
}

/** The schema that references point into, how much of it was told, and whether anything was left out. */
interface SignatureWriter {
  readonly root: JsonSchema
  types: number
  isCut: boolean
}

function argumentNames(schema: JsonSchema): readonly string[] {
  const required = new Set(listOf(schema['required']))
  return Object.keys(recordOf(schema['properties'])).map(
    (name) => `${plainName(name)}${required.has(name) ? '' : '?'}`,
  )
}

function members(schema: JsonSchema, told: SignatureWriter, depth: number): readonly string[] {
  const properties = Object.values(recordOf(schema['properties']))
  return argumentNames(schema).map(
    (name, index) => `${name}: ${argumentType(name, recordOf(properties[index]), told, depth)}`,
  )
}

/** That an optional argument may also be null says nothing one would act on. */
function argumentType(
  name: string,
  schema: JsonSchema,
  told: SignatureWriter,
  depth: number,
): string {
  const type = typeOf(schema, told, depth)
  return name.endsWith('?') ? type.replace(/ \| null$/v, '') : type
}

function typeOf(schema: JsonSchema, told: SignatureWriter, depth: number): string {
  told.types += 1
  if (told.types > MAX_TYPES) return cut('any', told)
  const values = 'const' in schema ? [schema['const']] : listOf(schema['enum'])
  if (values.length > 0) return unionOf(values, MAX_COUNTS.values, told, (value) => literal(value))
  const choices = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])]
  if (choices.length > 0) {
    return unionOf(choices, MAX_COUNTS.members, told, (one) =>
      typeOf(recordOf(one), told, depth + 1),
    )
  }
  if (typeof schema['$ref'] === 'string') return referred(schema['$ref'], told, depth)
  const types = typeof schema['type'] === 'string' ? [schema['type']] : listOf(schema['type'])
  if (types.length === 0) return 'properties' in schema ? objectOf(schema, told, depth) : 'any'
  return unionOf(types, MAX_COUNTS.members, told, (type) => plainType(type, schema, told, depth))
}

function plainType(
  type: unknown,
  schema: JsonSchema,
  told: SignatureWriter,
  depth: number,
): string {
  if (type === 'object') return objectOf(schema, told, depth)
  if (type !== 'array') return sanitiseLine(String(type))
  const items = recordOf(schema['items'])
  if (depth > MAX_DEPTH) return cut('array', told)
  const inner = Object.keys(items).length === 0 ? 'any' : typeOf(items, told, depth + 1)
  return inner.includes(' | ') ? `(${inner})[]` : `${inner}[]`
}

function objectOf(schema: JsonSchema, told: SignatureWriter, depth: number): string {
  if (Object.keys(recordOf(schema['properties'])).length === 0) return 'object'
  if (depth >= MAX_DEPTH) return cut('object', told)
  return `{ ${members(schema, told, depth + 1).join(', ')} }`
}

/** Only definitions of the schema itself are looked up, and only to the depth objects are told. */
function referred(reference: string, told: SignatureWriter, depth: number): string {
  const [, place, name] = /^#\/(\$defs|definitions)\/([^\/]+)$/v.exec(reference) ?? []
  const definitions = recordOf(told.root[place ?? ''])
  if (name === undefined || !Object.hasOwn(definitions, name) || depth > MAX_DEPTH) {
    return cut('object', told)
  }
  return typeOf(recordOf(definitions[name]), told, depth + 1)
}

function unionOf(
  items: readonly unknown[],
  limit: number,
  told: SignatureWriter,
  write: (item: unknown) => string,
): string {
  const shown = [...new Set(items.slice(0, limit).map(write))]
  return items.length > limit ? cut([...shown, '…'].join(' | '), told) : shown.join(' | ')
}

function cut(text: string, told: SignatureWriter): string {
  told.isCut = true
  return text
}

function literal(value: unknown): string {
  return sanitiseLine(JSON.stringify(value) ?? 'null')
}

/** A name as it is when it is a plain word, else in quotes: it may hold anything. */
function plainName(name: string): string {
  return /^[\p{L}\p{N}_.\-]{1,80}$/v.test(name) ? sanitiseLine(name) : literal(name.slice(0, 80))
}

function recordOf(value: unknown): JsonSchema {
  return isObject(value) ? value : {}
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
