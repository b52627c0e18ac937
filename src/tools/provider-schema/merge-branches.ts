import { canonicalJson } from '../../kernel/canonical-json.ts'
import type { JsonSchema } from '../../kernel/json.ts'
import { isSchemaObject } from '../schema/subschemas.ts'
import { listOf, namedSchemas, own } from '../schema/members.ts'

interface Merged {
  readonly schema: JsonSchema
  /** Keywords on which the parts do not agree; the first one's word was kept. */
  readonly lost: readonly string[]
}

/**
 * One schema for several that all hold (`allOf`). Members with different schemas, and keywords with
 * different values, cannot be told in one; the first is kept and named in `lost`.
 */
export function mergeAll(parts: readonly JsonSchema[]): Merged {
  const merged: Record<string, unknown> = {}
  const lost = new Set<string>()
  for (const part of parts) {
    for (const [keyword, value] of Object.entries(part)) {
      if (!Object.hasOwn(merged, keyword)) merged[keyword] = value
      else if (keyword === 'required') {
        merged[keyword] = [...new Set([...listOf(merged, keyword), ...listOf(part, keyword)])]
      } else if (keyword === 'properties' || keyword === '$defs' || keyword === 'definitions') {
        const { members, clashes } = mergeMembers(merged, part, keyword)
        merged[keyword] = members
        if (clashes) lost.add(keyword)
      } else if (!CLOSING.has(keyword) && canonicalJson(merged[keyword]) !== canonicalJson(value)) {
        if (keyword !== 'description' && keyword !== 'title') lost.add(keyword)
      }
    }
  }
  return { schema: merged, lost: [...lost] }
}

/** Said of one part, it is not meant of the members that the other parts name. */
const CLOSING: ReadonlySet<string> = new Set(['additionalProperties', 'unevaluatedProperties'])

/**
 * The members of several branches of which one holds (`anyOf`, `oneOf`), as one object: all that any
 * names, required where all require it.
 */
export function mergeAny(branches: readonly unknown[]): JsonSchema {
  const objects = branches.filter(isSchemaObject)
  const properties = objects.reduce<Record<string, unknown>>(
    (members, branch) => mergeMembers({ properties: members }, branch, 'properties').members,
    {},
  )
  const [first, ...rest] = objects.map((branch) => new Set(listOf(branch, 'required')))
  const required = [...(first ?? [])].filter((name) => rest.every((names) => names.has(name)))
  return {
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  }
}

function mergeMembers(
  a: JsonSchema,
  b: JsonSchema,
  keyword: string,
): { readonly members: Record<string, unknown>; readonly clashes: boolean } {
  const members = new Map(namedSchemas(a, keyword))
  let clashes = false
  for (const [name, schema] of namedSchemas(b, keyword)) {
    const known = members.get(name)
    if (known === undefined) members.set(name, schema)
    else if (canonicalJson(known) !== canonicalJson(schema)) clashes = true
  }
  return { members: Object.fromEntries(members), clashes }
}

/** A schema without some of its keywords. */
export function without(schema: JsonSchema, keywords: readonly string[]): JsonSchema {
  return Object.fromEntries(
    Object.keys(schema)
      .filter((keyword) => !keywords.includes(keyword))
      .map((keyword) => [keyword, own(schema, keyword)]),
  )
}
