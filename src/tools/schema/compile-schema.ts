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
 * What ajv needs to be told so that `unevaluatedProperties` and `unevaluatedItems` know what the
 * rest of a schema has looked at. By itself ajv takes over what the element before had evaluated,
 * takes a name that every object inherits for an evaluated one, and a list no branch spoke of too.
 *
 * Which items a `contains` has evaluated ajv does not know; all of them are held for evaluated, so
 * that a value the author accepts is never refused.
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
    // ajv compares the length of a list with the `true` of one that is evaluated as a whole.
    keyword: SETTLED_KEYWORD,
    type: 'array',
    before: 'unevaluatedItems',
    code: ({ gen, it: { items } }) => {
      if (items instanceof Name) gen.if(_`${items} === true`, () => gen.assign(items, Infinity))
    },
  },
]

/** What a validator says is wrong with a value, in the words of the schema it was compiled from. */
export interface Faults {
  readonly faults: readonly ErrorObject[]
  readonly root: JsonSchema
}

/** Finds what is wrong with a value, or the one issue for which it was not looked at to the end. */
export type SchemaCheck = (
  value: unknown,
) =>
  | (Faults & { readonly kind: 'checked' })
  | { readonly kind: 'unchecked'; readonly issue: ValueIssue }

/** Schemas looked at during one validation; a usual call takes some dozens. */
const STEP_LIMIT = 500_000

/** Validators kept for schemas that are equal; each tool also holds on to its own. */
const CACHE_SIZE = 1_000

/** Without an id, ajv does not find `#` in a schema that is not registered with it. */
const SCHEMA_ID = 'loadout:schema'

const TOO_MUCH_WORK: ValueIssue = {
  path: '',
  message: 'takes too much work to check; send a smaller or less deeply nested value',
}

class StepsSpent extends Error {}

const compiled = new Map<ContentHash, SchemaCheck>()

/** Validation is synchronous, so one counter does for all. */
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
 * Compile the check of a schema that `checkSchema` accepted; equal schemas share one.
 *
 * A schema built to take exponential time on some value is stopped after a number of steps,
 * and the value refused. Loading this module loads ajv (30 ms): import it when a value is there.
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
      const faults = validate(value) ? [] : (validate.errors ?? []).filter(isTelling)
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

/** `if` only says that `then` or `else` failed; faults inside a name come again as `propertyNames`. */
function isTelling({ keyword, propertyName }: ErrorObject): boolean {
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
