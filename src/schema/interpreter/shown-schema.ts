import type { JsonSchema } from '../../kernel/json-value.ts'
import { sanitiseText } from '../../kernel/sanitise-text.ts'
import { mapSubschemas } from './subschemas.ts'

/** Keywords with text for readers, which does not affect validation. */
const TEXT_KEYWORDS = ['title', 'description', '$comment'] as const

const cache = new WeakMap<JsonSchema, JsonSchema>()

/**
 * Returns a schema for requests: hidden characters in its descriptions are shown. Names and values are not
 * changed, because calls use them. A schema without hidden characters is returned itself.
 */
export function shownSchema(schema: JsonSchema): JsonSchema {
  const known = cache.get(schema)
  if (known !== undefined) return known
  let isSame = true
  const inside = mapSubschemas(schema, (child) => {
    const shown = shownSchema(child)
    isSame &&= shown === child
    return shown
  })
  const texts = TEXT_KEYWORDS.flatMap((keyword): [string, string][] => {
    const text = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined
    const shown = typeof text === 'string' ? sanitiseText(text) : text
    return typeof shown === 'string' && shown !== text ? [[keyword, shown]] : []
  })
  const shown = isSame && texts.length === 0 ? schema : { ...inside, ...Object.fromEntries(texts) }
  cache.set(schema, shown)
  return shown
}
