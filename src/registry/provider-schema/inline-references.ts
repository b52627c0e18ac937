import type { JsonSchema } from '../../kernel/json.ts'
import { followReference } from '../schema/local-reference.ts'
import { isSchemaObject } from '../schema/subschemas.ts'
import { own } from './members.ts'
import { mergeAll, without } from './merge-branches.ts'

/** Schemas one conversion may write: references can unfold into exponentially many. */
const MOST_SCHEMAS = 5_000

/** Puts schemas in place of references, until one leads back to itself or the whole grows too large. */
export class Inliner {
  readonly #root: JsonSchema
  #written = 0

  constructor(root: JsonSchema) {
    this.#root = root
  }

  /**
   * The schema with the target of its `$ref` merged into it, and the references on the way to it;
   * null when it cannot be put in. `way` holds the references that led here.
   */
  inline(
    schema: JsonSchema,
    way: readonly string[],
  ): { readonly schema: JsonSchema; readonly way: readonly string[] } | null {
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
