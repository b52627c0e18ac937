import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ErrorObject, ValidateFunction } from 'ajv'
import { canonicalJson } from '../../kernel/canonical-json.ts'
import { contentHash, type ContentHash } from '../../kernel/content-hash.ts'
import type { JsonSchema } from '../../kernel/json.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { ValueIssue } from '../definition/tool.ts'
import { evaluatedKeywords } from './evaluated-keywords.ts'
import { STEP_KEYWORD, UNIQUE_KEYWORD } from './own-keywords.ts'
import { validationCopy } from './validation-copy.ts'

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
