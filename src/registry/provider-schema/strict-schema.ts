import { canonicalJson } from '../../kernel/canonical-json.ts'
import type { JsonSchema } from '../../kernel/json.ts'
import { isSchemaObject, pointerToken } from '../schema/subschemas.ts'
import { describeKeywords } from './describe-keywords.ts'
import { Inliner } from './inline-references.ts'
import type { LossList } from './loss-list.ts'
import { listOf, namedSchemas, own, typesOf } from './members.ts'
import { mergeAll, without } from './merge-branches.ts'
import { plainTop } from './plain-top.ts'
import { checkStrictLimits } from './strict-limits.ts'

/** Carried as they are; all that is not read here is described or dropped. */
const KEPT = [
  'title',
  'pattern',
  'multipleOf',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minItems',
  'maxItems',
] as const

const FORMATS: ReadonlySet<unknown> = new Set([
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uuid',
])

const READ: ReadonlySet<string> = new Set([
  ...KEPT,
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
  '$ref',
  'additionalProperties',
  'unevaluatedProperties',
  'format',
  '$defs',
  'definitions',
  '$schema',
  '$id',
  '$comment',
  '$anchor',
  '$dynamicAnchor',
])

interface Definition {
  readonly name: string
  readonly child: unknown
  readonly path: string
}

const ANY_VALUE = ['string', 'number', 'boolean', 'null'].map((type) => ({ type }))

/**
 * A schema in the subset that OpenAI decodes strictly: every object closed, every member required,
 * what was optional made nullable (`argumentsFromStrict` takes those nulls out again).
 */
export function strictSchema(root: JsonSchema, losses: LossList): JsonSchema {
  const inliner = new Inliner(root)
  const defs = new Map<string, Definition>()
  for (const keyword of ['definitions', '$defs']) {
    for (const [name, child] of namedSchemas(root, keyword)) {
      defs.set(`#/${keyword}/${name}`, { name, child, path: `/${keyword}/${pointerToken(name)}` })
    }
  }

  function convert(value: unknown, path: string, way: readonly string[]): JsonSchema {
    if (!isSchemaObject(value)) {
      losses.add(path, String(value), value === false ? 'dropped' : 'narrowed', 'any value')
      return { anyOf: ANY_VALUE }
    }
    const reference = own(value, '$ref')
    if (reference === '#' || defs.has(String(reference))) {
      for (const keyword of Object.keys(without(value, ['$ref']))) {
        losses.add(path, keyword, 'dropped', 'nothing may stand beside "$ref"')
      }
      const named = defs.get(String(reference))
      return { $ref: named === undefined ? '#' : `#/$defs/${named.name}` }
    }
    const inlined = inliner.inline(value, way)
    if (inlined === null) {
      losses.add(path, '$ref', 'dropped', 'it leads back to itself, or unfolds without end')
      return { anyOf: ANY_VALUE }
    }
    return write(merged(inlined.schema, path), path, inlined.way)
  }

  function merged(schema: JsonSchema, path: string): JsonSchema {
    const parts = listOf(schema, 'allOf').filter(isSchemaObject)
    if (parts.length === 0) return schema
    const inlined = parts.map((part) => inliner.inline(part, [])?.schema ?? {})
    const whole = mergeAll([without(schema, ['allOf']), ...inlined])
    for (const keyword of whole.lost) losses.add(path, `allOf/${keyword}`, 'widened')
    return merged(whole.schema, path)
  }

  function write(schema: JsonSchema, path: string, way: readonly string[]): JsonSchema {
    const types = typesOf(schema)
    const others = Object.keys(schema).filter((keyword) => !READ.has(keyword))
    const format = own(schema, 'format')
    const untold = format !== undefined && !FORMATS.has(format) ? ['format'] : []
    const description = describeKeywords(schema, [...untold, ...others], path, losses)
    const shared = {
      ...(description !== undefined && { description }),
      ...Object.fromEntries(
        [...KEPT, 'enum', 'const'].flatMap((keyword) => {
          const value = own(schema, keyword)
          return value === undefined ? [] : [[keyword, value]]
        }),
      ),
      ...(format !== undefined && untold.length === 0 && { format }),
    }
    const [keyword, branches] =
      listOf(schema, 'anyOf').length > 0
        ? (['anyOf', listOf(schema, 'anyOf')] as const)
        : (['oneOf', listOf(schema, 'oneOf')] as const)
    if (branches.length > 0) {
      if (keyword === 'oneOf') losses.add(path, keyword, 'widened')
      else if (listOf(schema, 'oneOf').length > 0) losses.add(path, 'oneOf', 'dropped')
      for (const beside of ['properties', 'items'].filter((one) => Object.hasOwn(schema, one))) {
        losses.add(path, beside, 'dropped', `"${keyword}" stands beside it`)
      }
      return {
        ...shared,
        anyOf: branches.map((branch, index) => convert(branch, `${path}/${keyword}/${index}`, way)),
      }
    }
    const implied = impliedTypes(schema, types)
    if (implied.length === 0) {
      losses.add(path, 'type', 'narrowed', 'any value')
      return { ...shared, anyOf: ANY_VALUE }
    }
    return {
      ...shared,
      type: implied.length === 1 ? implied[0] : implied,
      ...(implied.includes('object') && objectOf(schema, path, way)),
      ...(implied.includes('array') && { items: itemsOf(schema, path, way) }),
    }
  }

  function objectOf(schema: JsonSchema, path: string, way: readonly string[]): JsonSchema {
    for (const keyword of ['additionalProperties', 'unevaluatedProperties']) {
      const further = own(schema, keyword)
      if (further !== undefined && further !== false) losses.add(path, keyword, 'narrowed')
    }
    const speaks =
      Object.hasOwn(schema, 'additionalProperties') ||
      Object.hasOwn(schema, 'unevaluatedProperties')
    if (!speaks) {
      losses.add(path, 'additionalProperties', 'narrowed', 'every object is closed')
    }
    const required = new Set(listOf(schema, 'required'))
    const members = namedSchemas(schema, 'properties').flatMap(([name, child]) => {
      const place = `${path}/properties/${pointerToken(name)}`
      if (child === false) {
        losses.add(place, 'false', 'dropped')
        return []
      }
      const converted = convert(child, place, way)
      return [[name, required.has(name) ? converted : nullable(converted)] as const]
    })
    return {
      properties: Object.fromEntries(members),
      required: members.map(([name]) => name),
      additionalProperties: false,
    }
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

  const top = convert(without(plainTop(root, ['enum', 'not'], losses), ['$ref']), '', [])
  const named = [...defs.values()].map(
    ({ name, child, path }) => [name, convert(child, path, [])] as const,
  )
  const whole = named.length === 0 ? top : { ...top, $defs: Object.fromEntries(named) }
  checkStrictLimits(whole, losses)
  return whole
}

/** The same schema, with null allowed. */
function nullable(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema
  const types = [type].flat().filter((one) => one !== undefined)
  const alternatives = own(schema, 'anyOf')
  if (Array.isArray(alternatives)) {
    const has = alternatives.some((one) => isSchemaObject(one) && one['type'] === 'null')
    return has ? schema : { ...schema, anyOf: [...alternatives, { type: 'null' }] }
  }
  if (types.length === 0 || Object.hasOwn(schema, 'const')) {
    return { anyOf: [schema, { type: 'null' }] }
  }
  return {
    ...schema,
    type: types.includes('null') ? type : [...types, 'null'],
    ...(Array.isArray(values) &&
      !values.includes(null) && { enum: [...(values as unknown[]), null] }),
  }
}

function impliedTypes(schema: JsonSchema, types: readonly string[]): readonly string[] {
  if (types.length > 0) return types
  if (own(schema, 'properties') !== undefined) return ['object']
  if (own(schema, 'items') !== undefined || own(schema, 'prefixItems') !== undefined) {
    return ['array']
  }
  const constant = own(schema, 'const')
  const values = constant === undefined ? listOf(schema, 'enum') : [constant]
  return [...new Set(values.map(typeOf))]
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
