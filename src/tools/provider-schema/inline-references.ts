import type { JsonSchema } from '../../kernel/json.ts'
import { followReference } from '../schema/local-reference.ts'
import { isSchemaObject } from '../schema/subschemas.ts'
import type { LossList } from './loss-list.ts'
import { listOf, own } from '../schema/members.ts'
import { mergeAll, without } from './merge-branches.ts'

/** Schemas one conversion may write: references can unfold into exponentially many. */
const MOST_SCHEMAS = 5_000

/** A schema of its own, and the references that were put into it. */
interface Inlined {
  readonly schema: JsonSchema
  readonly way: readonly string[]
}

/** Puts schemas in place of references, until one leads back to itself or the whole grows too large. */
export class Inliner {
  readonly #root: JsonSchema
  #written = 0

  constructor(root: JsonSchema) {
    this.#root = root
  }

  /**
   * The schema without `$ref` and `allOf`: what they lead to and hold is merged into it. Null when a
   * reference cannot be put in, which is a loss, too. `way` holds the references that led here.
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
    const parts = listOf(found.schema, 'allOf').filter(isSchemaObject)
    if (parts.length === 0) return found
    const inlined = parts.flatMap((part) => this.inline(part, found.way, path, losses) ?? [])
    const rest = without(found.schema, ['allOf'])
    const whole = mergeAll([rest, ...inlined.map((part) => part.schema)])
    for (const keyword of whole.lost) losses.add(path, `allOf/${keyword}`, 'widened')
    return {
      schema: whole.schema,
      way: [...new Set([found, ...inlined].flatMap((one) => one.way))],
    }
  }

  #follow(schema: JsonSchema, way: readonly string[]): Inlined | null {
    let found = schema
    let passed = way
    this.#written += 1
    for (;;) {
      const reference = own(found, '$ref')
      if (typeof reference !== 'string') return { schema: found, way: passed }
      const target = followReference(reference, this.#root)
      const isSpent = this.#written > MOST_SCHEMAS
      if (passed.includes(reference) || !isSchemaObject(target) || isSpent) return null
      passed = [...passed, reference]
      found = mergeAll([without(found, ['$ref']), target]).schema
    }
  }
}
