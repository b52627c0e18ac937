import { isObject, type JsonSchema } from '../../kernel/json-value.ts'
import { mergeAll, mergeAny, without } from './inliner.ts'
import type { LossList } from './schema-loss.ts'
import {
  followReference,
  keywordValue,
  listOf,
  mapSubschemas,
  namedSchemas,
} from '../interpreter/subschemas.ts'

/** Levels of references and combinators at the top that are followed before they count as a circle. */
const MAX_LEVELS = 32

/** Schemas that are merged into the top. References can expand into exponentially many. */
const MAX_SCHEMAS = 1_000

/**
 * Converts the top of a schema to a plain object with properties, for providers that allow no combinators
 * there. `$ref` and `allOf` are merged into it. For `anyOf` and `oneOf`, it has the members of all
 * branches, required if every branch requires them. Branches may be combinators, too.
 */
export function plainTop(
  root: JsonSchema,
  refused: readonly string[],
  losses: LossList,
): JsonSchema {
  let merged = 0

  function flatten(schema: JsonSchema, level: number): JsonSchema {
    merged += 1
    const isEndless = level > MAX_LEVELS || merged > MAX_SCHEMAS
    if (isEndless) return without(schema, ['$ref', 'allOf', 'anyOf', 'oneOf'])
    const next = withoutReference(schema, root, losses)
    if (keywordValue(next, '$ref') !== undefined) return flatten(next, level + 1)
    const inside = (keyword: string) =>
      listOf(next, keyword).map((one) => (isObject(one) ? flatten(one, level + 1) : one))
    const parts = inside('allOf').filter(isObject)
    let top = next
    if (parts.length > 0) {
      const { schema: all, lost } = mergeAll([without(next, ['allOf']), ...parts])
      for (const keyword of lost) losses.add('', `allOf/${keyword}`, 'widened')
      top = all
    }
    for (const keyword of ['anyOf', 'oneOf'] as const) {
      const branches = inside(keyword)
      if (branches.length === 0) continue
      losses.add('', keyword, 'widened', 'the members of all branches are listed together')
      top = mergeAll([without(top, [keyword]), mergeAny(branches)]).schema
    }
    return top
  }

  const top = flatten(root, 0)
  for (const keyword of refused) {
    if (keywordValue(top, keyword) !== undefined) losses.add('', keyword, 'dropped')
  }
  const plain = without(top, [...refused, 'unevaluatedProperties'])
  const further = keywordValue(top, 'unevaluatedProperties')
  // No other keyword is left that could evaluate members, so both keywords mean the same.
  const closed = further === undefined ? {} : { additionalProperties: further }
  return withTargets({ ...closed, ...plain, type: 'object' }, root)
}

/** Adds to `$defs` the schemas that references lead to and that the top no longer has. */
function withTargets(top: JsonSchema, root: JsonSchema): JsonSchema {
  const names = new Map<string, string>()
  const added: [string, unknown][] = []
  const taken = new Set(namedSchemas(top, '$defs').map(([name]) => name))

  function within(schema: JsonSchema): JsonSchema {
    const inside = mapSubschemas(schema, within)
    const references = ['$ref', '$dynamicRef'].flatMap((keyword): [string, string][] => {
      const reference = keywordValue(schema, keyword)
      return typeof reference === 'string' ? [[keyword, sentReference(reference)]] : []
    })
    return { ...inside, ...Object.fromEntries(references) }
  }

  function sentReference(reference: string): string {
    if (followReference(reference, top) !== undefined) return reference
    const target = followReference(reference, root)
    if (target === undefined) return reference
    let name = names.get(reference)
    if (name === undefined) {
      for (let count = 1; name === undefined || taken.has(name); count += 1) name = `part-${count}`
      taken.add(name)
      names.set(reference, name)
      added.push([name, within(target)])
    }
    return `#/$defs/${name}`
  }

  const complete = within(top)
  if (added.length === 0) return top
  const defs = [...namedSchemas(complete, '$defs'), ...added]
  return { ...complete, $defs: Object.fromEntries(defs) }
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
