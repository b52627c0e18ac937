import { isObject, type JsonSchema } from '../../kernel/json-value.ts'
import { keywordValue, namedSchemas, schemasInPlace, typesOf } from './subschemas.ts'

const ITEMS = ['items', 'prefixItems', 'additionalItems', 'unevaluatedItems'] as const

const OTHERS = ['additionalProperties', 'unevaluatedProperties'] as const

/**
 * Returns false when a schema names the members of its values, and a path of names leads to none of them: neither by a
 * name with dots nor by one name for each segment, also in the items of lists. `*` is every member or item. A schema that
 * names no members may have all.
 */
export function mayHaveMember(root: JsonSchema, path: string): boolean {
  const isBelow = (
    schema: unknown,
    segments: readonly string[],
    way: readonly unknown[],
  ): boolean => {
    if (segments.length === 0 || !isObject(schema)) return schema !== false
    const all = [...schemasInPlace(schema, root)]
    if (!all.some(saysWhatIsBelow)) return !all.some(isPlain)
    const items = all.flatMap((one) => ITEMS.flatMap((keyword) => keywordValue(one, keyword) ?? []))
    const isPlace = /^(?:\*|\d+)$/u.test(segments[0] ?? '')
    return (
      membersAt(all, segments).some(([one, rest]) => isBelow(one, rest, [])) ||
      (isPlace && items.some((one) => isBelow(one, segments.slice(1), []))) ||
      // A rule sees through lists, and a list may be an item of itself.
      items.some((one) => !way.includes(one) && isBelow(one, segments, [...way, one]))
    )
  }
  return isBelow(root, path.split('.'), [])
}

/** Returns true for a schema that says which members or items its values have. */
function saysWhatIsBelow(schema: JsonSchema): boolean {
  return ['properties', ...ITEMS].some((keyword) => Object.hasOwn(schema, keyword))
}

function isPlain(schema: JsonSchema): boolean {
  const types = typesOf(schema)
  return types.length > 0 && !types.includes('object') && !types.includes('array')
}

/** Returns the schemas of the members that a path may begin with, each with what follows its name. */
function membersAt(all: readonly JsonSchema[], segments: readonly string[]) {
  return all.flatMap((schema) => {
    const named = namedSchemas(schema, 'properties')
    const open = OTHERS.flatMap((keyword) => keywordValue(schema, keyword) ?? [])
    const others = [...open, ...namedSchemas(schema, 'patternProperties').map(([, one]) => one)]
    return segments.flatMap((_, at) => {
      const [name, rest] = [segments.slice(0, at + 1).join('.'), segments.slice(at + 1)]
      const found = named.filter(([own]) => name === '*' || own === name).map(([, one]) => one)
      return [...found, ...others].map((one) => [one, rest] as const)
    })
  })
}
