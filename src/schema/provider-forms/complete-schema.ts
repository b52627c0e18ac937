import type { JsonSchema } from '../../kernel/json-value.ts'
import { keywordValue, mapSubschemas, typesOf } from '../interpreter/subschemas.ts'

/**
 * Writes the keywords that providers miss, at any depth: `properties` of an object, `items` of a list, and `prefixItems`
 * instead of the list of schemas that older drafts have in `items`. No meaning changes. A schema that has them is returned
 * itself.
 */
export function completeSchema(schema: JsonSchema): JsonSchema {
  let isSame = true
  const inside = mapSubschemas(schema, (child) => {
    const complete = completeSchema(child)
    isSame &&= complete === child
    return complete
  })
  const types = typesOf(schema)
  const items = keywordValue(schema, 'items')
  const added = {
    ...(types.includes('object') && !Object.hasOwn(schema, 'properties') && { properties: {} }),
    ...(types.includes('array') && items === undefined && { items: {} }),
  }
  if (!Array.isArray(items)) {
    return isSame && Object.keys(added).length === 0 ? schema : { ...inside, ...added }
  }
  const { items: prefixItems, additionalItems = {}, ...rest } = inside
  return { ...rest, ...added, prefixItems, items: additionalItems }
}
