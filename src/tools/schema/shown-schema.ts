import type { JsonSchema } from '../../kernel/json-value.ts'
import { sanitiseText } from '../../kernel/sanitise-text.ts'
import { mapSubschemas } from './subschemas.ts'

/** Keywords whose text is there to be read, and decides about no value. */
const TOLD = ['title', 'description', '$comment'] as const

const kept = new WeakMap<JsonSchema, JsonSchema>()

/**
 * A schema as a request tells it: what a reader would not see in its descriptions is shown. Names and
 * values stay as they are, since calls are made of them. The very schema where nothing is hidden.
 */
export function shownSchema(schema: JsonSchema): JsonSchema {
  const known = kept.get(schema)
  if (known !== undefined) return known
  let isSame = true
  const inside = mapSubschemas(schema, (child) => {
    const shown = shownSchema(child)
    isSame &&= shown === child
    return shown
  })
  const texts = TOLD.flatMap((keyword): [string, string][] => {
    const text = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined
    const shown = typeof text === 'string' ? sanitiseText(text) : text
    return typeof shown === 'string' && shown !== text ? [[keyword, shown]] : []
  })
  const shown = isSame && texts.length === 0 ? schema : { ...inside, ...Object.fromEntries(texts) }
  kept.set(schema, shown)
  return shown
}
