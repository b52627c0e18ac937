import type { JsonSchema } from '../../kernel/json.ts'
import { pointerToken } from '../schema/subschemas.ts'
import type { LossList } from './loss-list.ts'
import { listOf, namedSchemas, own } from '../schema/members.ts'
import { nullableSchema } from './nullable-schema.ts'

const CLOSING = ['additionalProperties', 'unevaluatedProperties']

/** The members of an object as strict decoding takes them: no others, and every one required. */
export function strictObject(
  schema: JsonSchema,
  path: string,
  losses: LossList,
  convert: (member: unknown, path: string) => JsonSchema,
): JsonSchema {
  for (const keyword of CLOSING) {
    const further = own(schema, keyword)
    if (further !== undefined && further !== false) losses.add(path, keyword, 'narrowed')
  }
  if (!CLOSING.some((keyword) => Object.hasOwn(schema, keyword))) {
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
