import { isObject, type JsonSchema } from '../../kernel/json-value.ts'
import {
  describeKeywords,
  impliedTypes,
  itemSchema,
  REFUSED_PATTERN,
  STRUCTURE,
} from './describe-keywords.ts'
import { Inliner, without } from './inliner.ts'
import { plainTop } from './plain-top.ts'
import type { LossList } from './schema-loss.ts'
import {
  CLOSING_KEYWORDS,
  keywordValue,
  listOf,
  namedSchemas,
  pointerToken,
  subschemas,
} from '../interpreter/subschemas.ts'

/** Keywords that are sent unchanged. Keywords that are not read here are described or dropped. */
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

/** Formats that are enforced. */
export const STRICT_FORMATS: readonly string[] = [
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uuid',
]

const READ: ReadonlySet<string> = new Set([...STRUCTURE, ...KEPT, ...CLOSING_KEYWORDS, 'format'])

const ANY_VALUE = ['string', 'number', 'boolean', 'null'].map((type) => ({ type }))

/**
 * Converts a schema to the subset that OpenAI decodes strictly: every object is closed and every member
 * required. Optional members become nullable, and `argumentsFromStrict` removes their nulls again.
 */
export function strictSchema(root: JsonSchema, losses: LossList): JsonSchema {
  const inliner = new Inliner(root)
  const defs = new Map<string, { name: string; child: unknown; path: string }>()
  for (const keyword of ['definitions', '$defs']) {
    for (const [name, child] of namedSchemas(root, keyword)) {
      defs.set(`#/${keyword}/${name}`, { name, child, path: `/${keyword}/${pointerToken(name)}` })
    }
  }

  function convert(value: unknown, path: string, way: readonly string[]): JsonSchema {
    if (!isObject(value)) {
      losses.add(path, String(value), value === false ? 'dropped' : 'narrowed', 'any value')
      return { anyOf: ANY_VALUE }
    }
    const reference = keywordValue(value, '$ref')
    if (reference === '#' || defs.has(String(reference))) {
      for (const keyword of Object.keys(without(value, ['$ref']))) {
        losses.add(path, keyword, 'dropped', 'nothing may stand beside "$ref"')
      }
      const named = defs.get(String(reference))
      return { $ref: named === undefined ? '#' : `#/$defs/${named.name}` }
    }
    const inlined = inliner.inline(value, way, path, losses)
    return inlined === null ? { anyOf: ANY_VALUE } : write(inlined.schema, path, inlined.way)
  }

  function write(schema: JsonSchema, path: string, way: readonly string[]): JsonSchema {
    const others = Object.keys(schema).filter((keyword) => !READ.has(keyword))
    const format = keywordValue(schema, 'format')
    const pattern = keywordValue(schema, 'pattern')
    const untold = [
      ...(format !== undefined && !STRICT_FORMATS.includes(String(format)) ? ['format'] : []),
      ...(typeof pattern === 'string' && REFUSED_PATTERN.test(pattern) ? ['pattern'] : []),
    ]
    const description = describeKeywords(schema, [...untold, ...others], path, losses)
    const shared = {
      ...(description !== undefined && { description }),
      ...Object.fromEntries(
        [...KEPT, 'enum', 'const'].flatMap((keyword) => {
          const value = keywordValue(schema, keyword)
          return value === undefined || untold.includes(keyword) ? [] : [[keyword, value]]
        }),
      ),
      ...(format !== undefined && !untold.includes('format') && { format }),
    }
    const [keyword, branches] =
      listOf(schema, 'anyOf').length > 0
        ? (['anyOf', listOf(schema, 'anyOf')] as const)
        : (['oneOf', listOf(schema, 'oneOf')] as const)
    if (branches.length > 0) {
      if (keyword === 'oneOf') losses.add(path, keyword, 'widened')
      else if (listOf(schema, 'oneOf').length > 0) losses.add(path, 'oneOf', 'dropped')
      for (const other of ['properties', 'items'].filter((one) => Object.hasOwn(schema, one))) {
        losses.add(path, other, 'dropped', `"${keyword}" stands beside it`)
      }
      return {
        ...shared,
        anyOf: branches.map((branch, index) => convert(branch, `${path}/${keyword}/${index}`, way)),
      }
    }
    const implied = impliedTypes(schema)
    const inside = (child: unknown, place: string) => convert(child, place, way)
    if (implied.length === 0) {
      losses.add(path, 'type', 'narrowed', 'any value')
      return { ...shared, anyOf: ANY_VALUE }
    }
    return {
      ...shared,
      type: implied.length === 1 ? implied[0] : implied,
      ...(implied.includes('object') && strictObject(schema, path, losses, inside)),
      ...(implied.includes('array') && { items: itemSchema(schema, path, losses, inside) }),
    }
  }

  const top = convert(without(plainTop(root, ['enum', 'not'], losses), ['$ref']), '', [])
  const named = [...defs.values()].map(
    ({ name, child, path }) => [name, convert(child, path, [])] as const,
  )
  const schema = named.length === 0 ? top : { ...top, $defs: Object.fromEntries(named) }
  checkStrictLimits(schema, losses)
  return schema
}

/** Converts the members of an object for strict decoding: no others are allowed, and every one is required. */
function strictObject(
  schema: JsonSchema,
  path: string,
  losses: LossList,
  convert: (member: unknown, path: string) => JsonSchema,
): JsonSchema {
  for (const keyword of CLOSING_KEYWORDS) {
    const further = keywordValue(schema, keyword)
    if (further !== undefined && further !== false) losses.add(path, keyword, 'narrowed')
  }
  if (!CLOSING_KEYWORDS.some((keyword) => Object.hasOwn(schema, keyword))) {
    losses.add(path, 'additionalProperties', 'narrowed', 'every object is closed')
  }
  const required = new Set(listOf(schema, 'required'))
  const members = namedSchemas(schema, 'properties').flatMap(([name, child]) => {
    const place = `${path}/properties/${pointerToken(name)}`
    if (child === false) {
      losses.add(place, 'false', 'dropped')
      return []
    }
    const converted = convert(child, place)
    return [[name, required.has(name) ? converted : nullableSchema(converted)] as const]
  })
  return {
    properties: Object.fromEntries(members),
    required: members.map(([name]) => name),
    additionalProperties: false,
  }
}

/** Returns a schema that also allows null. */
function nullableSchema(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema
  const types = [type].flat().filter((one) => one !== undefined)
  const alternatives = keywordValue(schema, 'anyOf')
  if (Array.isArray(alternatives)) {
    const has = alternatives.some((one) => isObject(one) && one['type'] === 'null')
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

/** The limits of strict decoding for one schema, in its documentation of November 2026. */
const LIMITS = { properties: 5_000, levels: 10, enumValues: 1_000, characters: 120_000 }

/** Reports a converted schema that exceeds the limits of strict decoding: the provider would refuse it. */
function checkStrictLimits(root: JsonSchema, losses: LossList): void {
  const found = { properties: 0, levels: 0, enumValues: 0, characters: 0 }
  function visit(schema: JsonSchema, level: number): void {
    const names = [...namedSchemas(schema, 'properties'), ...namedSchemas(schema, '$defs')]
    const values = [...listOf(schema, 'enum'), keywordValue(schema, 'const')]
    found.properties += namedSchemas(schema, 'properties').length
    found.enumValues += listOf(schema, 'enum').length
    found.levels = Math.max(found.levels, level)
    for (const text of [...names.map(([name]) => name), ...values]) {
      if (typeof text === 'string') found.characters += text.length
    }
    for (const { keyword, schema: child } of subschemas(schema)) {
      visit(child, keyword === 'properties' || keyword === 'items' ? level + 1 : level)
    }
  }
  if (isObject(root)) visit(root, 0)
  const { properties, levels, enumValues, characters } = found
  if (properties > LIMITS.properties) {
    losses.add('', 'properties', 'refused', `${properties} members, at most ${LIMITS.properties}`)
  }
  if (levels > LIMITS.levels) {
    losses.add('', 'properties/depth', 'refused', `${levels} levels, at most ${LIMITS.levels}`)
  }
  if (enumValues > LIMITS.enumValues) {
    losses.add('', 'enum', 'refused', `${enumValues} values, at most ${LIMITS.enumValues}`)
  }
  if (characters > LIMITS.characters) {
    losses.add('', 'names', 'refused', `${characters} characters, at most ${LIMITS.characters}`)
  }
}
