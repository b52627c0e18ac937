import type { JsonSchema } from '../../kernel/json.ts'
import { mapSubschemas } from './subschemas.ts'

/**
 * A schema of zod without the bounds of safe integers, which `z.int()` puts on every integer. A model
 * pays for their digits in each request and never comes near them; the parser holds values to them
 * all the same.
 */
export function withoutSafeBounds(schema: JsonSchema): JsonSchema {
  const inner = mapSubschemas(schema, withoutSafeBounds)
  const { minimum, maximum, ...rest } = inner
  const isBelow = minimum === Number.MIN_SAFE_INTEGER
  const isAbove = maximum === Number.MAX_SAFE_INTEGER
  if (inner['type'] !== 'integer' || !(isBelow || isAbove)) return inner
  return {
    ...rest,
    ...(minimum !== undefined && !isBelow && { minimum }),
    ...(maximum !== undefined && !isAbove && { maximum }),
  }
}
