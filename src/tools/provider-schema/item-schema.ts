import { canonicalJson } from '../../kernel/canonical-json.ts'
import type { JsonSchema } from '../../kernel/json.ts'
import type { LossList } from './loss-list.ts'
import { listOf, own } from '../schema/members.ts'

/** The one schema of a list's items, for providers that do not tell its places apart. */
export function itemSchema(
  schema: JsonSchema,
  path: string,
  losses: LossList,
  convert: (item: unknown, path: string) => JsonSchema,
): JsonSchema {
  const items = own(schema, 'items')
  const keyword = Array.isArray(items) ? 'items' : 'prefixItems'
  const places = listOf(schema, keyword)
  if (places.length === 0) return convert(items ?? true, `${path}/items`)
  losses.add(path, keyword, 'widened', 'the places of a list are not told apart')
  const each = places.map((place, index) => convert(place, `${path}/${keyword}/${index}`))
  const unique = [...new Map(each.map((one) => [canonicalJson(one), one])).values()]
  const [only] = unique
  return unique.length === 1 && only !== undefined ? only : { anyOf: unique }
}
