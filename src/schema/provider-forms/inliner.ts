import { canonicalJson } from '../../kernel/canonical-json.ts'
import { isObject, type JsonSchema } from '../../kernel/json-value.ts'
import type { LossList } from './schema-loss.ts'
import {
  CLOSING_KEYWORDS,
  followReference,
  keywordValue,
  listOf,
  namedSchemas,
} from '../interpreter/subschemas.ts'

/** Schemas in one conversion. References can expand into exponentially many. */
const MAX_SCHEMAS = 5_000

/** A schema without references, and the references that were resolved in it. */
interface Inlined {
  readonly schema: JsonSchema
  readonly way: readonly string[]
}

/** Replaces references by their schemas, until a reference leads back to itself or the result is too large. */
export class Inliner {
  readonly #root: JsonSchema
  #written = 0

  constructor(root: JsonSchema) {
    this.#root = root
  }

  /**
   * Merges the schemas of `$ref` and `allOf` into a schema. Returns null if a reference cannot be resolved,
   * which is also a loss. `way` contains the references that led to the schema.
   */
  inline(
    schema: JsonSchema,
    way: readonly string[],
    path: string,
    losses: LossList,
  ): Inlined | null {
    const found = this.#follow(schema, way)
    if (found === null) {
      losses.add(path, '$ref', 'dropped', 'it leads back to itself, or unfolds without end')
      return null
    }
    const parts = listOf(found.schema, 'allOf').filter(isObject)
    if (parts.length === 0) return found
    const inlined = parts.flatMap((part) => this.inline(part, found.way, path, losses) ?? [])
    const rest = without(found.schema, ['allOf'])
    const merged = mergeAll([rest, ...inlined.map((part) => part.schema)])
    for (const keyword of merged.lost) losses.add(path, `allOf/${keyword}`, 'widened')
    return {
      schema: merged.schema,
      way: [...new Set([found, ...inlined].flatMap((one) => one.way))],
    }
  }

  #follow(schema: JsonSchema, way: readonly string[]): Inlined | null {
    let found = schema
    let passed = way
    this.#written += 1
    for (;;) {
      const reference = keywordValue(found, '$ref')
      if (typeof reference !== 'string') return { schema: found, way: passed }
      const target = followReference(reference, this.#root)
      const isSpent = this.#written > MAX_SCHEMAS
      if (passed.includes(reference) || !isObject(target) || isSpent) return null
      passed = [...passed, reference]
      found = mergeAll([without(found, ['$ref']), target]).schema
    }
  }
}

/**
 * Merges schemas that all apply (`allOf`). Members with different schemas and keywords with different values
 * cannot be merged: the first is kept, and `lost` names the keyword.
 */
export function mergeAll(parts: readonly JsonSchema[]): {
  readonly schema: JsonSchema
  readonly lost: readonly string[]
} {
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

/** Keywords whose differences are no loss: a part does not refuse members that other parts name. */
const CLOSING: ReadonlySet<string> = new Set(CLOSING_KEYWORDS)

/**
 * Merges the members of branches of which one applies (`anyOf`, `oneOf`) into one object: all members of all
 * branches, required if every branch requires them.
 */
export function mergeAny(branches: readonly unknown[]): JsonSchema {
  const objects = branches.filter(isObject)
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

/** Copies a schema without some of its keywords. */
export function without(schema: JsonSchema, keywords: readonly string[]): JsonSchema {
  return Object.fromEntries(
    Object.keys(schema)
      .filter((keyword) => !keywords.includes(keyword))
      .map((keyword) => [keyword, keywordValue(schema, keyword)]),
  )
}
