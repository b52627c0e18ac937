import { isObject, type JsonSchema } from '../../../kernel/json-value.ts'
import { sanitiseLine } from '../../../kernel/sanitise-text.ts'

/** A tool's arguments on one line; `isCut` when some names or types are missing. */
export interface Signature {
  readonly text: string
  readonly isCut: boolean
}

/** Characters of a signature's types; with more, only the names are shown. */
const MAX_TYPES_LENGTH = 360
/** The most names of arguments, values of an enum, and members of a union that are shown. */
const MAX_COUNTS = { names: 16, values: 8, members: 6 } as const
/** Nested objects are shown to this depth, deeper ones as `object`. */
const MAX_DEPTH = 2
/** The most types shown of one schema: references to large definitions could produce any number. */
const MAX_TYPES = 300

/**
 * Writes a signature such as `cms_getPage(slug: string, withSections?: boolean)`, from an untrusted schema.
 * Arguments are in the order of the schema; optional ones end with `?`.
 */
export function compactSignature(name: string, schema: JsonSchema): Signature {
  const writer: SignatureWriter = { root: schema, types: 0, isCut: false }
  const typed = members(schema, writer, 0)
  const text = `${name}(${typed.join(', ')})`
  return text.length - name.length > MAX_TYPES_LENGTH
    ? namedSignature(name, schema)
    : { text, isCut: writer.isCut }
}

/** Writes a signature without types: `cms_getPage(slug, withSections?)`. */
export function namedSignature(name: string, schema: JsonSchema): Signature {
  const names = argumentNames(schema)
  const shown = names.slice(0, MAX_COUNTS.names)
  const rest = names.length > shown.length ? [...shown, '…'] : shown
  return { text: `${name}(${rest.join(', ')})`, isCut: names.length > 0 }
}

/** The schema that references point into, the number of types written, and whether any was left out. */
interface SignatureWriter {
  readonly root: JsonSchema
  types: number
  isCut: boolean
}

function argumentNames(schema: JsonSchema): readonly string[] {
  const required = new Set(asList(schema['required']))
  return Object.keys(asRecord(schema['properties'])).map(
    (name) => `${plainName(name)}${required.has(name) ? '' : '?'}`,
  )
}

function members(schema: JsonSchema, writer: SignatureWriter, depth: number): readonly string[] {
  const properties = Object.values(asRecord(schema['properties']))
  return argumentNames(schema).map((name, index) => {
    const type = writeType(asRecord(properties[index]), writer, depth)
    // Null is left out for an optional argument: leaving the argument out does the same.
    return `${name}: ${name.endsWith('?') ? type.replace(/ \| null$/v, '') : type}`
  })
}

function writeType(schema: JsonSchema, writer: SignatureWriter, depth: number): string {
  writer.types += 1
  if (writer.types > MAX_TYPES) return cut('any', writer)
  const values = 'const' in schema ? [schema['const']] : asList(schema['enum'])
  if (values.length > 0)
    return writeUnion(values, MAX_COUNTS.values, writer, (value) => literal(value))
  const choices = [...asList(schema['anyOf']), ...asList(schema['oneOf'])]
  if (choices.length > 0) {
    return writeUnion(choices, MAX_COUNTS.members, writer, (one) =>
      writeType(asRecord(one), writer, depth + 1),
    )
  }
  if (typeof schema['$ref'] === 'string') return referred(schema['$ref'], writer, depth)
  const types = typeof schema['type'] === 'string' ? [schema['type']] : asList(schema['type'])
  if (types.length === 0) return 'properties' in schema ? writeObject(schema, writer, depth) : 'any'
  return writeUnion(types, MAX_COUNTS.members, writer, (type) =>
    plainType(type, schema, writer, depth),
  )
}

function plainType(
  type: unknown,
  schema: JsonSchema,
  writer: SignatureWriter,
  depth: number,
): string {
  if (type === 'object') return writeObject(schema, writer, depth)
  if (type !== 'array') return sanitiseLine(String(type))
  const items = asRecord(schema['items'])
  if (depth > MAX_DEPTH) return cut('array', writer)
  const inner = Object.keys(items).length === 0 ? 'any' : writeType(items, writer, depth + 1)
  return inner.includes(' | ') ? `(${inner})[]` : `${inner}[]`
}

function writeObject(schema: JsonSchema, writer: SignatureWriter, depth: number): string {
  if (Object.keys(asRecord(schema['properties'])).length === 0) return 'object'
  if (depth >= MAX_DEPTH) return cut('object', writer)
  return `{ ${members(schema, writer, depth + 1).join(', ')} }`
}

/** Resolves a reference: only to definitions in the schema itself, and only to the depth of objects. */
function referred(reference: string, writer: SignatureWriter, depth: number): string {
  const [, place, name] = /^#\/(\$defs|definitions)\/([^\/]+)$/v.exec(reference) ?? []
  const definitions = asRecord(writer.root[place ?? ''])
  if (name === undefined || !Object.hasOwn(definitions, name) || depth > MAX_DEPTH) {
    return cut('object', writer)
  }
  return writeType(asRecord(definitions[name]), writer, depth + 1)
}

function writeUnion(
  items: readonly unknown[],
  limit: number,
  writer: SignatureWriter,
  write: (item: unknown) => string,
): string {
  const shown = [...new Set(items.slice(0, limit).map(write))]
  return items.length > limit ? cut([...shown, '…'].join(' | '), writer) : shown.join(' | ')
}

function cut(text: string, writer: SignatureWriter): string {
  writer.isCut = true
  return text
}

function literal(value: unknown): string {
  return sanitiseLine(JSON.stringify(value) ?? 'null')
}

/** Writes a plain name unchanged, and any other name in quotes. */
function plainName(name: string): string {
  return /^[\p{L}\p{N}_.\-]{1,80}$/v.test(name) ? sanitiseLine(name) : literal(name.slice(0, 80))
}

/** Returns a schema; an empty one for anything else. */
export function asRecord(value: unknown): JsonSchema {
  return isObject(value) ? value : {}
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
