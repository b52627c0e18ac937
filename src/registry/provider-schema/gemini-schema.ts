import { canonicalJson } from '../../kernel/canonical-json.ts'
import type { JsonSchema } from '../../kernel/json.ts'
import { isSchemaObject, pointerToken } from '../schema/subschemas.ts'
import { describeKeywords } from './describe-keywords.ts'
import { Inliner } from './inline-references.ts'
import type { LossList } from './loss-list.ts'
import { listOf, namedSchemas, own, typesOf } from './members.ts'
import { mergeAll, without } from './merge-branches.ts'
import { plainTop } from './plain-top.ts'

/** Keywords whose value is carried as it is. */
const KEPT = ['title', 'default', 'format', 'pattern', 'minimum', 'maximum'] as const

/** Counts, which the native form writes as text (they are 64-bit there). */
const COUNTS = [
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
] as const

/** Keywords that are read here and so are not a loss by themselves, or say nothing of a value. */
const READ: ReadonlySet<string> = new Set([
  ...KEPT,
  ...COUNTS,
  'type',
  'description',
  'properties',
  'required',
  'items',
  'prefixItems',
  'anyOf',
  'oneOf',
  'allOf',
  'enum',
  'const',
  'exclusiveMinimum',
  'exclusiveMaximum',
  '$ref',
  '$defs',
  'definitions',
  '$schema',
  '$id',
  '$comment',
  '$anchor',
  '$dynamicAnchor',
])

const ANY_VALUE = ['STRING', 'NUMBER', 'BOOLEAN', 'OBJECT'].map((type) => ({ type }))

/**
 * A schema in Gemini's native form: types in capitals, `nullable`, enums of text only, no
 * references, one list of alternatives. What it cannot say is gathered in `losses`.
 */
export function geminiSchema(root: JsonSchema, losses: LossList): JsonSchema {
  const inliner = new Inliner(root)

  function convert(value: unknown, path: string, way: readonly string[]): JsonSchema {
    if (!isSchemaObject(value)) {
      losses.add(path, String(value), value === false ? 'dropped' : 'narrowed', 'any value')
      return { anyOf: ANY_VALUE }
    }
    const inlined = inliner.inline(value, way)
    if (inlined === null) {
      losses.add(path, '$ref', 'dropped', 'it leads back to itself, or unfolds without end')
      return { type: 'OBJECT', ...text('description', own(value, 'description')) }
    }
    return write(merged(inlined.schema, path), path, inlined.way)
  }

  function merged(schema: JsonSchema, path: string): JsonSchema {
    const parts = listOf(schema, 'allOf').filter(isSchemaObject)
    if (parts.length === 0) return schema
    const whole = mergeAll([without(schema, ['allOf']), ...parts.map((part) => merged(part, path))])
    for (const keyword of whole.lost) losses.add(path, `allOf/${keyword}`, 'widened')
    return whole.schema
  }

  function write(schema: JsonSchema, path: string, way: readonly string[]): JsonSchema {
    const types = typesOf(schema)
    const plain = types.filter((type) => type !== 'null')
    const alternatives = alternativesOf(schema, path, way)
    const nullable = types.includes('null') || alternatives.nullable || hasNull(schema)
    const { values, untold } = enumOf(schema, plain)
    const others = Object.keys(schema).filter((keyword) => !READ.has(keyword))
    const description = describeKeywords(schema, [...untold, ...others], path, losses)
    const shared = {
      ...text('description', description),
      ...Object.fromEntries(KEPT.flatMap((keyword) => entry(keyword, own(schema, keyword)))),
      ...bounds(schema, path, plain),
      ...Object.fromEntries(COUNTS.flatMap((keyword) => countEntry(keyword, own(schema, keyword)))),
      ...(nullable && { nullable: true }),
      ...(values !== undefined && { enum: values }),
    }
    const [type = impliedType(schema, values), ...moreTypes] = plain
    if (moreTypes.length > 0 && alternatives.list.length === 0) {
      return { ...shared, anyOf: plain.map((one) => ofType(one, schema, path, way)) }
    }
    if (alternatives.list.length > 0) {
      const members = type === 'object' ? ofType('object', schema, path, way) : {}
      return { ...members, ...shared, anyOf: alternatives.list }
    }
    if (type === undefined) {
      if (nullable && plain.length === 0 && types.length > 0) return { ...shared, type: 'NULL' }
      losses.add(path, 'type', 'narrowed', 'any value')
      return { ...shared, anyOf: ANY_VALUE }
    }
    return { ...shared, ...ofType(type, schema, path, way) }
  }

  function ofType(
    type: string,
    schema: JsonSchema,
    path: string,
    way: readonly string[],
  ): JsonSchema {
    if (type === 'object') {
      const members = namedSchemas(schema, 'properties').filter(([name, child]) => {
        if (child !== false) return true
        losses.add(`${path}/properties/${pointerToken(name)}`, 'false', 'dropped')
        return false
      })
      const names = new Set(members.map(([name]) => name))
      const required = listOf(schema, 'required').filter((name) => names.has(String(name)))
      const properties = members.map(([name, child]) => [
        name,
        convert(child, `${path}/properties/${pointerToken(name)}`, way),
      ])
      return {
        type: 'OBJECT',
        ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
        ...(required.length > 0 && { required }),
      }
    }
    if (type === 'array') return { type: 'ARRAY', items: itemsOf(schema, path, way) }
    return { type: type.toUpperCase() }
  }

  function itemsOf(schema: JsonSchema, path: string, way: readonly string[]): JsonSchema {
    const items = own(schema, 'items')
    const keyword = Array.isArray(items) ? 'items' : 'prefixItems'
    const places = listOf(schema, keyword)
    if (places.length === 0) return convert(items ?? true, `${path}/items`, way)
    losses.add(path, keyword, 'widened', 'the places of a list are not told apart')
    const each = places.map((place, index) => convert(place, `${path}/${keyword}/${index}`, way))
    const unique = [...new Map(each.map((one) => [canonicalJson(one), one])).values()]
    const [only] = unique
    return unique.length === 1 && only !== undefined ? only : { anyOf: unique }
  }

  function alternativesOf(schema: JsonSchema, path: string, way: readonly string[]) {
    const list: JsonSchema[] = []
    let nullable = false
    for (const keyword of ['anyOf', 'oneOf']) {
      const branches = listOf(schema, keyword)
      if (keyword === 'oneOf' && branches.length > 0) losses.add(path, keyword, 'widened')
      if (list.length > 0 && branches.length > 0) {
        losses.add(path, keyword, 'dropped', '"anyOf" is told beside it')
        continue
      }
      branches.forEach((branch, index) => {
        if (isNull(branch)) nullable = true
        else list.push(convert(branch, `${path}/${keyword}/${index}`, way))
      })
    }
    return { list, nullable }
  }

  function bounds(schema: JsonSchema, path: string, types: readonly string[]): JsonSchema {
    const found: Record<string, number> = {}
    const isWhole = types.length === 1 && types[0] === 'integer'
    for (const [keyword, bound, step] of [
      ['exclusiveMinimum', 'minimum', 1],
      ['exclusiveMaximum', 'maximum', -1],
    ] as const) {
      const value = own(schema, keyword)
      if (typeof value !== 'number') continue
      const isExact = isWhole && Number.isInteger(value)
      if (!isExact) losses.add(path, keyword, 'widened', 'the bound itself is told as allowed')
      found[bound] = isExact ? value + step : value
    }
    return found
  }

  return convert(plainTop(root, [], losses), '', [])
}

/** Text of an enum; values of other types can only be described. */
function enumOf(schema: JsonSchema, types: readonly string[]) {
  const constant = own(schema, 'const')
  const keyword = constant === undefined ? 'enum' : 'const'
  const all = constant === undefined ? listOf(schema, 'enum') : [constant]
  const values = all.filter((value) => value !== null)
  if (values.length === 0) return { values: undefined, untold: [] }
  const isText =
    values.every((value) => typeof value === 'string' && value !== '') &&
    types.every((type) => type === 'string')
  return isText ? { values, untold: [] } : { values: undefined, untold: [keyword] }
}

function hasNull(schema: JsonSchema): boolean {
  return listOf(schema, 'enum').includes(null) || own(schema, 'const') === null
}

function isNull(branch: unknown): boolean {
  return isSchemaObject(branch) && typesOf(branch).join() === 'null'
}

/** The type a schema means that names none. */
function impliedType(schema: JsonSchema, values: readonly unknown[] | undefined) {
  if (values !== undefined) return 'string'
  if (own(schema, 'properties') !== undefined) return 'object'
  if (own(schema, 'items') !== undefined || own(schema, 'prefixItems') !== undefined) return 'array'
  const constants = [...listOf(schema, 'enum'), own(schema, 'const')]
  const kinds = new Set(constants.flatMap((value) => kindOf(value) ?? []))
  const [only] = kinds
  return kinds.size === 1 ? only : undefined
}

function kindOf(value: unknown): string | undefined {
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string'
    ? typeof value
    : undefined
}

function text(name: string, value: unknown): JsonSchema {
  return typeof value === 'string' && value !== '' ? { [name]: value } : {}
}

function entry(name: string, value: unknown): readonly [string, unknown][] {
  return value === undefined ? [] : [[name, value]]
}

function countEntry(name: string, value: unknown): readonly [string, unknown][] {
  return value === undefined ? [] : [[name, String(value)]]
}
