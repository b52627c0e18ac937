import { canonicalJson } from '../../kernel/canonical-json.ts'
import type { JsonSchema } from '../../kernel/json-value.ts'
import type { LossList } from './schema-loss.ts'
import { keywordValue, listOf, typesOf } from '../schema/subschemas.ts'

/** Longer values are not told in words: a description is read at every step. */
const LONGEST = 80

/** Keywords whose value is not a schema, whatever it is. */
const VALUES: ReadonlySet<string> = new Set(['enum', 'const', 'default'])

/** A model sends what it was told of anyway. */
const CLOSING: ReadonlySet<string> = new Set(['additionalProperties', 'unevaluatedProperties'])

/**
 * Put keywords that a provider does not take into the description, as `(minLength: 3)`; those whose
 * value is long or a schema are dropped. Either way it is a loss. Absent when nothing is to be said.
 */
export function describeKeywords(
  schema: JsonSchema,
  keywords: readonly string[],
  path: string,
  losses: LossList,
): string | undefined {
  const told: string[] = []
  for (const keyword of keywords) {
    const value = keywordValue(schema, keyword)
    if (value === undefined) continue
    const text = JSON.stringify(value)
    const isPlain = typeof value !== 'object' || value === null || VALUES.has(keyword)
    if (isPlain && text.length <= LONGEST && !CLOSING.has(keyword)) {
      told.push(`${keyword}: ${text}`)
      losses.add(path, keyword, 'described')
    } else losses.add(path, keyword, 'dropped')
  }
  const description = keywordValue(schema, 'description')
  const said = typeof description === 'string' ? [description] : []
  if (told.length > 0) said.push(`(${told.join(', ')})`)
  return said.length === 0 ? undefined : said.join(' ')
}

/**
 * Keywords that every conversion reads for itself: the parts a value is made of, and what says nothing
 * of a value.
 */
export const STRUCTURE = [
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
  '$defs',
  'definitions',
  '$schema',
  '$id',
  '$comment',
  '$anchor',
  '$dynamicAnchor',
] as const

/** The one schema of a list's items, for providers that do not tell its places apart. */
export function itemSchema(
  schema: JsonSchema,
  path: string,
  losses: LossList,
  convert: (item: unknown, path: string) => JsonSchema,
): JsonSchema {
  const items = keywordValue(schema, 'items')
  const keyword = Array.isArray(items) ? 'items' : 'prefixItems'
  const places = listOf(schema, keyword)
  if (places.length === 0) return convert(items ?? true, `${path}/items`)
  losses.add(path, keyword, 'widened', 'the places of a list are not told apart')
  const each = places.map((place, index) => convert(place, `${path}/${keyword}/${index}`))
  const unique = [...new Map(each.map((one) => [canonicalJson(one), one])).values()]
  const [only] = unique
  return unique.length === 1 && only !== undefined ? only : { anyOf: unique }
}

/** The types of a schema: those it names, else those its other keywords speak of. Empty for any. */
export function impliedTypes(schema: JsonSchema): readonly string[] {
  const named = typesOf(schema)
  if (named.length > 0) return named
  if (keywordValue(schema, 'properties') !== undefined) return ['object']
  if (
    keywordValue(schema, 'items') !== undefined ||
    keywordValue(schema, 'prefixItems') !== undefined
  ) {
    return ['array']
  }
  const constant = keywordValue(schema, 'const')
  const values = constant === undefined ? listOf(schema, 'enum') : [constant]
  return [...new Set(values.map(typeOf))]
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
