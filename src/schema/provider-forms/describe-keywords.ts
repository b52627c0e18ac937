import { canonicalJson } from '../../kernel/canonical-json.ts'
import type { JsonSchema } from '../../kernel/json-value.ts'
import type { LossList } from './schema-loss.ts'
import {
  CLOSING_KEYWORDS,
  keywordValue,
  listOf,
  mapSubschemas,
  typesOf,
} from '../interpreter/subschemas.ts'

/** Characters. Longer values are not described, because a description is read at every step. */
const MAX_LENGTH = 80

/** Keywords whose value is never a schema. */
const VALUES: ReadonlySet<string> = new Set(['enum', 'const', 'default'])

/** Keywords that are not described, because models only send arguments that they know. */
const CLOSING: ReadonlySet<string> = new Set(CLOSING_KEYWORDS)

/**
 * Adds keywords that a provider does not support to the description, as `(minLength: 3)`. Keywords with a
 * long value or a schema are dropped. Both are losses. Undefined without a description and keywords.
 */
export function describeKeywords(
  schema: JsonSchema,
  keywords: readonly string[],
  path: string,
  losses: LossList,
): string | undefined {
  const described: string[] = []
  for (const keyword of keywords) {
    const value = keywordValue(schema, keyword)
    if (value === undefined) continue
    const text = JSON.stringify(value)
    const isPlain = typeof value !== 'object' || value === null || VALUES.has(keyword)
    if (isPlain && text.length <= MAX_LENGTH && !CLOSING.has(keyword)) {
      described.push(`${keyword}: ${text}`)
      losses.add(path, keyword, 'described')
    } else losses.add(path, keyword, 'dropped')
  }
  const description = keywordValue(schema, 'description')
  const texts = typeof description === 'string' ? [description] : []
  if (described.length > 0) texts.push(`(${described.join(', ')})`)
  return texts.length === 0 ? undefined : texts.join(' ')
}

/** Parts of a pattern that OpenAI's expressions do not have: assertions about what is around, and references back. */
export const REFUSED_PATTERN = /\(\?(?:[=!]|<[=!])|\\[1-9k]/u

/**
 * Adds the patterns that OpenAI does not compile to descriptions, at any depth. Its provider for the AI SDK leaves them
 * out, too: "OpenAI does not support regex lookaround in JSON Schema patterns" (@ai-sdk/openai 4.0.118).
 */
export function describePatterns(schema: JsonSchema, losses: LossList, path = ''): JsonSchema {
  let isSame = true
  const inside = mapSubschemas(schema, (child, _, pointer) => {
    const described = describePatterns(child, losses, path + pointer)
    isSame &&= described === child
    return described
  })
  const pattern = keywordValue(schema, 'pattern')
  if (typeof pattern !== 'string' || !REFUSED_PATTERN.test(pattern)) return isSame ? schema : inside
  const { pattern: _, ...rest } = inside
  const description = describeKeywords(schema, ['pattern'], path, losses)
  return { ...rest, ...(description !== undefined && { description }) }
}

/**
 * Keywords that every conversion handles itself: those for the parts of a value, and those that do not
 * describe values.
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

/** Returns one schema for the items of a list, for providers that do not support different positions. */
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

/** Returns the types that a schema names, or else those its other keywords imply. Empty for any type. */
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
  const types = values.map((value) =>
    value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value,
  )
  return [...new Set(types)]
}
