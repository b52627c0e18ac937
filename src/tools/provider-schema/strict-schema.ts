import type { JsonSchema } from '../../kernel/json.ts'
import { isSchemaObject, pointerToken } from '../schema/subschemas.ts'
import { describeKeywords } from './describe-keywords.ts'
import { impliedTypes } from './implied-types.ts'
import { Inliner } from './inline-references.ts'
import { itemSchema } from './item-schema.ts'
import type { LossList } from './loss-list.ts'
import { listOf, namedSchemas, own } from '../schema/members.ts'
import { without } from './merge-branches.ts'
import { plainTop } from './plain-top.ts'
import { checkStrictLimits } from './strict-limits.ts'
import { strictObject } from './strict-object.ts'
import { STRUCTURE } from './structure.ts'

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
  ...STRUCTURE,
  ...KEPT,
  'additionalProperties',
  'unevaluatedProperties',
  'format',
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
    const inlined = inliner.inline(value, way, path, losses)
    return inlined === null ? { anyOf: ANY_VALUE } : write(inlined.schema, path, inlined.way)
  }

  function write(schema: JsonSchema, path: string, way: readonly string[]): JsonSchema {
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
  const whole = named.length === 0 ? top : { ...top, $defs: Object.fromEntries(named) }
  checkStrictLimits(whole, losses)
  return whole
}
