import type { JsonSchema } from '../../kernel/json.ts'
import type { LossList } from './loss-list.ts'
import { listOf, own } from '../schema/members.ts'

/** Keywords whose value is carried as it is. */
export const KEPT = ['title', 'default', 'format', 'pattern', 'minimum', 'maximum'] as const

/** Counts, which the native form writes as text (they are 64-bit there). */
export const COUNTS = [
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

/** What Gemini's form says of a value beside its type: limits, and an enum where it is of text. */
export function geminiFacts(
  schema: JsonSchema,
  types: readonly string[],
  path: string,
  losses: LossList,
) {
  const kept = KEPT.flatMap((keyword) => entry(keyword, own(schema, keyword), (value) => value))
  const counts = COUNTS.flatMap((keyword) => entry(keyword, own(schema, keyword), String))
  const facts: JsonSchema = {
    ...Object.fromEntries(kept),
    ...bounds(schema, types, path, losses),
    ...Object.fromEntries(counts),
  }
  return { facts, ...enumOf(schema, types) }
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
    const value = own(schema, keyword)
    if (typeof value !== 'number') continue
    const isExact = isWhole && Number.isInteger(value)
    if (!isExact) losses.add(path, keyword, 'widened', 'the bound itself is told as allowed')
    found[bound] = isExact ? value + step : value
  }
  return found
}

/** Text of an enum; values of other types can only be described. */
function enumOf(schema: JsonSchema, types: readonly string[]) {
  const constant = own(schema, 'const')
  const keyword = constant === undefined ? 'enum' : 'const'
  const all = constant === undefined ? listOf(schema, 'enum') : [constant]
  const values = all.filter((value) => value !== null)
  if (values.length === 0) return { values: undefined, untold: [] }
  const isText =
    values.every((value) => typeof value === 'string' && value !== '') &&
    types.every((type) => type === 'string')
  return isText ? { values, untold: [] } : { values: undefined, untold: [keyword] }
}

function entry(
  name: string,
  value: unknown,
  write: (value: unknown) => unknown,
): readonly [string, unknown][] {
  return value === undefined ? [] : [[name, write(value)]]
}
