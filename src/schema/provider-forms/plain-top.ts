import { isObject, type JsonSchema } from '../../kernel/json-value.ts'
import { mergeAll, mergeAny, without } from './inliner.ts'
import type { LossList } from './schema-loss.ts'
import { followReference, keywordValue, listOf } from '../interpreter/subschemas.ts'

/** References at the top that are followed before they count as a circle. */
const MAX_STEPS = 32

/**
 * Converts the top of a schema to a plain object with properties, for providers that allow no combinators
 * there. `$ref` and `allOf` are merged into it. For `anyOf` and `oneOf`, it has the members of all
 * branches, required if every branch requires them.
 */
export function plainTop(
  root: JsonSchema,
  refused: readonly string[],
  losses: LossList,
): JsonSchema {
  let top = root
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const next = withoutReference(top, root, losses)
    const all = listOf(next, 'allOf').filter(isObject)
    if (all.length === 0) {
      top = next
      break
    }
    const parts = all.map((part) => withoutReference(part, root, losses))
    const { schema, lost } = mergeAll([without(next, ['allOf']), ...parts])
    for (const keyword of lost) losses.add('', `allOf/${keyword}`, 'widened')
    top = schema
  }
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const branches = listOf(top, keyword)
    if (branches.length === 0) continue
    const members = mergeAny(
      branches.map((branch) =>
        isObject(branch) ? withoutReference(branch, root, losses) : branch,
      ),
    )
    losses.add('', keyword, 'widened', 'the members of all branches are told, none of them apart')
    top = mergeAll([without(top, [keyword]), members]).schema
  }
  for (const keyword of refused) {
    if (keywordValue(top, keyword) !== undefined) losses.add('', keyword, 'dropped')
  }
  const plain = without(top, [...refused, 'unevaluatedProperties'])
  const further = keywordValue(top, 'unevaluatedProperties')
  // No other keyword is left that could evaluate members, so both keywords mean the same.
  const closed = further === undefined ? {} : { additionalProperties: further }
  return { ...closed, ...plain, type: 'object' }
}

function withoutReference(schema: JsonSchema, root: JsonSchema, losses: LossList): JsonSchema {
  const reference = keywordValue(schema, '$ref')
  if (typeof reference !== 'string') return schema
  const target = followReference(reference, root)
  const rest = without(schema, ['$ref'])
  if (target === undefined || target === schema) {
    losses.add('', '$ref', 'dropped')
    return rest
  }
  return mergeAll([rest, target]).schema
}
