import type { ErrorObject, ValidateFunction } from 'ajv'
import { _, Ajv2020, type CodeKeywordDefinition, Name } from 'ajv/dist/2020.js'
import { canonicalJson } from '../../kernel/canonical-json.ts'
import { type ContentHash, contentHash } from '../../kernel/content-hash.ts'
import type { JsonSchema } from '../../kernel/json-value.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { ValueIssue } from './schema-source.ts'
import {
  EVALUATED_KEYWORD,
  SETTLED_KEYWORD,
  STEP_KEYWORD,
  UNIQUE_KEYWORD,
  validationCopy,
} from './validation-copy.ts'

/**
 * Keywords that correct how ajv tracks evaluated members for `unevaluatedProperties` and
 * `unevaluatedItems`. Without them, ajv reuses the evaluated members of the previous element, and treats
 * as evaluated a name that every object inherits, and a list that no branch mentions.
 *
 * ajv does not know which items a `contains` has evaluated. All of them count as evaluated, so that a
 * value the author accepts is never refused.
 */
const evaluatedKeywords: readonly CodeKeywordDefinition[] = [
  {
    keyword: EVALUATED_KEYWORD,
    before: '$ref',
    code: ({ gen, it, parentSchema }) => {
      it.props = gen.var('props', _`{ __proto__: null }`)
      it.items = gen.var('items', Object.hasOwn(parentSchema, 'contains') ? Infinity : 0)
    },
  },
  {
    // For a list that is evaluated completely, ajv would compare its length with `true`.
    keyword: SETTLED_KEYWORD,
    type: 'array',
    before: 'unevaluatedItems',
    code: ({ gen, it: { items } }) => {
      if (items instanceof Name) gen.if(_`${items} === true`, () => gen.assign(items, Infinity))
    },
  },
]

/** The errors of a validator, with the schema that it was compiled from. */
export interface Faults {
  readonly faults: readonly ErrorObject[]
  readonly root: JsonSchema
}

/** Checks a value. `unchecked` has the issue that stopped the check before its end. */
export type SchemaCheck = (
  value: unknown,
) =>
  | (Faults & { readonly kind: 'checked' })
  | { readonly kind: 'unchecked'; readonly issue: ValueIssue }

/** Schemas that are applied during one validation. A usual call needs a few dozen. */
const STEP_LIMIT = 500_000

/** Validators in the cache that equal schemas share. Each tool also keeps its own. */
const CACHE_SIZE = 1_000

/** Without an id, ajv does not resolve `#` in a schema that is not registered. */
const SCHEMA_ID = 'loadout:schema'

const TOO_MUCH_WORK: ValueIssue = {
  path: '',
  message: 'takes too much work to check; send a smaller or less deeply nested value',
}

class StepsSpent extends Error {}

const compiled = new Map<ContentHash, SchemaCheck>()

/** One counter is enough, because validation is synchronous. */
let steps = 0

const ajv = new Ajv2020({
  strict: false,
  allErrors: true,
  verbose: true,
  ownProperties: true,
  validateFormats: false,
  validateSchema: false,
  meta: false,
  addUsedSchema: false,
  logger: false,
})

ajv.addKeyword({
  keyword: STEP_KEYWORD,
  errors: false,
  schema: false,
  validate: () => {
    steps += 1
    if (steps > STEP_LIMIT) throw new StepsSpent()
    return true
  },
})

ajv.addKeyword({
  keyword: UNIQUE_KEYWORD,
  type: 'array',
  errors: false,
  schema: false,
  validate: (items: readonly unknown[]) =>
    new Set(items.map((item) => canonicalJson(item))).size === items.length,
})

for (const keyword of evaluatedKeywords) ajv.addKeyword(keyword)

/**
 * Compiles the check of a schema that `checkSchema` accepted. Equal schemas share one check.
 *
 * If a schema takes exponential time for a value, the check stops after a number of steps and the value
 * is refused. This module loads ajv (30 ms), so import it only when there is a value to check.
 */
export function compileSchema(schema: JsonSchema): SchemaCheck {
  const hash = contentHash(schema)
  const known = compiled.get(hash)
  if (known !== undefined) return known
  const check = checkWith(schema)
  const [oldest] = compiled.keys()
  if (compiled.size >= CACHE_SIZE && oldest !== undefined) compiled.delete(oldest)
  compiled.set(hash, check)
  return check
}

function checkWith(schema: JsonSchema): SchemaCheck {
  const copy = { $id: SCHEMA_ID, ...validationCopy(schema) }
  const validate = build(copy)
  return (value) => {
    steps = 0
    try {
      const faults = validate(value) ? [] : (validate.errors ?? []).filter(isInformative)
      return { kind: 'checked', faults, root: copy }
    } catch (error) {
      if (error instanceof StepsSpent || error instanceof RangeError) {
        return { kind: 'unchecked', issue: TOO_MUCH_WORK }
      }
      if (WorkspaceError.is(error)) {
        return { kind: 'unchecked', issue: { path: '', message: error.message } }
      }
      throw error
    } finally {
      validate.errors = null
    }
  }
}

/** Drops `if`, which repeats that `then` or `else` failed, and errors that `propertyNames` repeats. */
function isInformative({ keyword, propertyName }: ErrorObject): boolean {
  return keyword !== 'if' && propertyName === undefined
}

function build(copy: JsonSchema): ValidateFunction {
  try {
    return ajv.compile(copy)
  } catch (error) {
    throw new WorkspaceError('SCHEMA_INVALID', `The schema cannot be compiled: ${String(error)}`, {
      hint: 'Simplify the schema, or describe the argument as a plain object.',
      cause: error,
    })
  } finally {
    ajv.removeSchema(copy)
  }
}
