import * as z from 'zod'
import type { $ZodType } from 'zod/v4/core'
import type { JsonSchema } from '../../kernel/json-value.ts'
import { mapSubschemas } from './subschemas.ts'

/** Returns true for a schema of zod 4. */
export function isZod(schema: object): schema is $ZodType {
  return '_zod' in schema
}

/** Corrects what zod writes as JSON Schema, so that it is short and refuses no value that zod accepts. */
export function correctZodSchema(written: JsonSchema, schema: $ZodType): JsonSchema {
  const text = JSON.stringify(written)
  const flagged = text.includes('"pattern') ? flaggedSources(schema) : new Set<unknown>()
  return correct(written, flagged)
}

function correct(schema: JsonSchema, flagged: ReadonlySet<unknown>): JsonSchema {
  return withoutFlagged(
    withoutSafeBounds(mapSubschemas(schema, (child) => correct(child, flagged))),
    flagged,
  )
}

/**
 * Removes the bounds of safe integers, which `z.int()` adds to every integer. Their digits cost tokens in
 * every request and models never reach them. The parser still checks them.
 */
function withoutSafeBounds(schema: JsonSchema): JsonSchema {
  const { minimum, maximum, ...rest } = schema
  const isBelow = minimum === Number.MIN_SAFE_INTEGER
  const isAbove = maximum === Number.MAX_SAFE_INTEGER
  if (schema['type'] !== 'integer' || !(isBelow || isAbove)) return schema
  return {
    ...rest,
    ...(minimum !== undefined && !isBelow && { minimum }),
    ...(maximum !== undefined && !isAbove && { maximum }),
  }
}

/**
 * Removes patterns whose flags zod does not write: without the flag, `/^abc$/i` means something else. The
 * parser still checks them.
 */
function withoutFlagged(schema: JsonSchema, flagged: ReadonlySet<unknown>): JsonSchema {
  if (flagged.size === 0 || !flagged.has(schema['pattern'])) return schema
  const { pattern: _, ...rest } = schema
  return rest
}

/** Flags that change what a pattern matches. */
const FLAGS = /[ims]/u

function flaggedSources(schema: $ZodType): ReadonlySet<unknown> {
  const sources = new Set<unknown>()
  z.toJSONSchema(schema, {
    unrepresentable: 'any',
    override: ({ zodSchema: { _zod: zod } }) => {
      for (const { def } of [zod, ...(zod.def.checks ?? []).map((check) => check._zod)]) {
        const { pattern } = def as { readonly pattern?: unknown }
        if (pattern instanceof RegExp && FLAGS.test(pattern.flags)) sources.add(pattern.source)
      }
    },
  })
  return sources
}
