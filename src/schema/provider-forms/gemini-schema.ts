import { isObject, type JsonSchema } from '../../kernel/json-value.ts'
import { describeKeywords, impliedTypes, itemSchema, STRUCTURE } from './describe-keywords.ts'
import { Inliner, without } from './inliner.ts'
import { plainTop } from './plain-top.ts'
import type { LossList } from './schema-loss.ts'
import {
  keywordValue,
  listOf,
  mapSubschemas,
  namedSchemas,
  pointerToken,
  typesOf,
} from '../interpreter/subschemas.ts'

/** Keywords whose value is sent unchanged. */
const KEPT = ['title', 'default', 'format', 'pattern', 'minimum', 'maximum'] as const

/** Counts, which the native form writes as text, because they have 64 bits there. */
const COUNTS = [
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
] as const

const BOUNDS = [
  ['exclusiveMinimum', 'minimum', 1],
  ['exclusiveMaximum', 'maximum', -1],
] as const

/** Keywords that a conversion handles, so they are not a loss by themselves. */
const READ: ReadonlySet<string> = new Set([
  ...STRUCTURE,
  ...KEPT,
  ...COUNTS,
  'exclusiveMinimum',
  'exclusiveMaximum',
])

const ANY_VALUE = ['STRING', 'NUMBER', 'BOOLEAN', 'OBJECT'].map((type) => ({ type }))

/**
 * Converts a schema to Gemini's native form: types in capitals, `nullable`, only enums of text, no
 * references, one list of alternatives. `losses` collects what this form cannot express.
 */
export function geminiSchema(root: JsonSchema, losses: LossList): JsonSchema {
  const inliner = new Inliner(root)

  function convert(value: unknown, path: string, way: readonly string[]): JsonSchema {
    if (!isObject(value)) {
      losses.add(path, String(value), value === false ? 'dropped' : 'narrowed', 'any value')
      return { anyOf: ANY_VALUE }
    }
    const inlined = inliner.inline(value, way, path, losses)
    if (inlined !== null) return write(inlined.schema, path, inlined.way)
    const description = keywordValue(value, 'description')
    return { type: 'OBJECT', ...(typeof description === 'string' && { description }) }
  }

  function write(schema: JsonSchema, path: string, way: readonly string[]): JsonSchema {
    const types = typesOf(schema)
    const plain = types.filter((type) => type !== 'null')
    const alternatives = readAlternatives(schema, path, way)
    const nullable =
      types.includes('null') ||
      alternatives.nullable ||
      listOf(schema, 'enum').includes(null) ||
      keywordValue(schema, 'const') === null
    const { values, facts, untold } = geminiFacts(schema, plain, path, losses)
    const others = Object.keys(schema).filter((keyword) => !READ.has(keyword))
    const description = describeKeywords(schema, [...untold, ...others], path, losses)
    const shared = {
      ...(description !== undefined && description !== '' && { description }),
      ...facts,
      ...(nullable && { nullable: true }),
      ...(values !== undefined && { enum: values }),
    }
    const implied = impliedTypes(schema).filter((type) => type !== 'null')
    const [type = implied.length === 1 ? implied[0] : undefined, ...moreTypes] = plain
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
    const inside = (child: unknown, place: string) => convert(child, place, way)
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
        inside(child, `${path}/properties/${pointerToken(name)}`),
      ])
      return {
        type: 'OBJECT',
        ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
        ...(required.length > 0 && { required }),
      }
    }
    if (type === 'array') return { type: 'ARRAY', items: itemSchema(schema, path, losses, inside) }
    return { type: type.toUpperCase() }
  }

  function readAlternatives(schema: JsonSchema, path: string, way: readonly string[]) {
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
        if (isObject(branch) && typesOf(branch).join() === 'null') nullable = true
        else list.push(convert(branch, `${path}/${keyword}/${index}`, way))
      })
    }
    return { list, nullable }
  }

  return convert(plainTop(root, [], losses), '', [])
}

/** Converts the keywords of a value apart from its type: limits, and an enum of texts. */
function geminiFacts(schema: JsonSchema, types: readonly string[], path: string, losses: LossList) {
  const given = (keywords: readonly string[]) =>
    keywords.flatMap((keyword): [string, unknown][] => {
      const value = keywordValue(schema, keyword)
      return value === undefined ? [] : [[keyword, value]]
    })
  const facts: JsonSchema = {
    ...Object.fromEntries(given(KEPT)),
    ...bounds(schema, types, path, losses),
    ...Object.fromEntries(given(COUNTS).map(([keyword, value]) => [keyword, String(value)])),
  }
  return { facts, ...readEnum(schema, types) }
}

function bounds(
  schema: JsonSchema,
  types: readonly string[],
  path: string,
  losses: LossList,
): JsonSchema {
  const found: Record<string, number> = {}
  const isWhole = types.length === 1 && types[0] === 'integer'
  for (const [keyword, bound, step] of BOUNDS) {
    const value = keywordValue(schema, keyword)
    if (typeof value !== 'number') continue
    const isExact = isWhole && Number.isInteger(value)
    if (!isExact) losses.add(path, keyword, 'widened', 'the bound itself is told as allowed')
    found[bound] = isExact ? value + step : value
  }
  return found
}

/** Returns the texts of an enum. An enum with values of other types can only be described. */
function readEnum(schema: JsonSchema, types: readonly string[]) {
  const constant = keywordValue(schema, 'const')
  const keyword = constant === undefined ? 'enum' : 'const'
  const all = constant === undefined ? listOf(schema, 'enum') : [constant]
  const values = all.filter((value) => value !== null)
  if (values.length === 0) return { values: undefined, untold: [] }
  const isText =
    values.every((value) => typeof value === 'string' && value !== '') &&
    types.every((type) => type === 'string')
  return isText ? { values, untold: [] } : { values: undefined, untold: [keyword] }
}

const OLD = 'definitions'

/**
 * Writes the references of a schema as Gemini documents them: to `$defs`, which older drafts call `definitions`, and
 * with no other keyword next to `$ref`. No meaning changes.
 */
export function geminiJsonSchema(root: JsonSchema): JsonSchema {
  const [old, names] = [namedSchemas(root, OLD), namedSchemas(root, '$defs')]
  const isRenamed = old.length > 0 && !names.some(([name]) => old.some(([one]) => one === name))

  function write(schema: JsonSchema): JsonSchema {
    const inside = mapSubschemas(schema, write)
    const reference = keywordValue(inside, '$ref')
    if (typeof reference !== 'string') return inside
    const isOld = isRenamed && reference.startsWith(`#/${OLD}/`)
    const $ref = isOld ? reference.replace(OLD, '$defs') : reference
    const rest = without(inside, ['$ref'])
    if (Object.keys(rest).every((keyword) => keyword.startsWith('$'))) return { ...rest, $ref }
    // Of several schemas for one place, Gemini documents "anyOf" only.
    const keyword = Object.hasOwn(rest, 'anyOf') ? 'allOf' : 'anyOf'
    return { ...rest, [keyword]: [...listOf(rest, keyword), { $ref }] }
  }

  const written = write(root)
  if (!isRenamed) return written
  const definitions = [...namedSchemas(written, '$defs'), ...namedSchemas(written, OLD)]
  return { ...without(written, [OLD]), $defs: Object.fromEntries(definitions) }
}
