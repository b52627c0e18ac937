import type { JsonSchema } from '../../kernel/json-value.ts'
import { followReference, mapSubschemas, schemasInPlace, subschemas } from './subschemas.ts'

/** Keywords whose schemas are read together with their parent, so they cannot close by themselves. */
const JOINED: ReadonlySet<string> = new Set([
  'allOf',
  'if',
  'then',
  'else',
  'not',
  'dependentSchemas',
])

const COMBINATORS = ['$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf', 'if', 'dependentSchemas']

/**
 * Refuse unknown arguments at the top of a schema somebody wrote by hand. What is nested stays
 * as JSON Schema has it, open unless it says otherwise.
 *
 * A schema that speaks about `additionalProperties` or `unevaluatedProperties` is left alone,
 * and so is one that names no properties at all (any object). With combinators the keyword is
 * `unevaluatedProperties`, which sees the properties of every branch. Closing twice changes
 * nothing, so a stored definition keeps its hash.
 */
export function closeSchemaTop(root: JsonSchema): JsonSchema {
  if (isSettled(root, root) || joinedReferences(root).has('#')) return root
  return closeOne(root, root)
}

/**
 * Refuse unknown arguments at every depth of a schema that a schema library generated, where
 * an object without a word about further properties means just the properties it has.
 * Objects that are read jointly (an intersection) close together, in their common parent.
 * zod does not tell that a member of an intersection is loose; such an intersection is closed.
 */
export function closeSchema(root: JsonSchema): JsonSchema {
  const joined = joinedReferences(root)

  function close(schema: JsonSchema, pointer: string, open: boolean): JsonSchema {
    const together = open || readsJointly(schema)
    const closed = mapSubschemas(schema, (child, keyword, step) => {
      const place = pointer + step
      if (JOINED.has(keyword)) return close(child, place, true)
      if (keyword === 'anyOf' || keyword === 'oneOf') return close(child, place, together)
      return close(child, place, joined.has(place))
    })
    if (open || speaksOfFurther(closed)) return closed
    const { $ref } = schema
    const refersToOpen = typeof $ref === 'string' && joined.has($ref)
    if (!together && !refersToOpen && !Object.hasOwn(schema, 'properties')) return closed
    return closeOne(closed, root)
  }

  return close(root, '#', joined.has('#'))
}

function closeOne(schema: JsonSchema, root: JsonSchema): JsonSchema {
  if (!namesProperties(schema, root)) return schema
  const combined = COMBINATORS.some((keyword) => Object.hasOwn(schema, keyword))
  return { ...schema, [combined ? 'unevaluatedProperties' : 'additionalProperties']: false }
}

function readsJointly(schema: JsonSchema): boolean {
  const beside = Object.hasOwn(schema, 'properties') || Object.hasOwn(schema, '$ref')
  const branches = Object.hasOwn(schema, 'anyOf') || Object.hasOwn(schema, 'oneOf')
  return (beside && branches) || subschemas(schema).some(({ keyword }) => JOINED.has(keyword))
}

function speaksOfFurther(schema: JsonSchema): boolean {
  return (
    Object.hasOwn(schema, 'additionalProperties') || Object.hasOwn(schema, 'unevaluatedProperties')
  )
}

/**
 * Closed or opened already: by itself, or in each branch of a plain union. Each schema is
 * settled once, since references may lead to one along exponentially many ways.
 */
function isSettled(
  schema: JsonSchema,
  root: JsonSchema,
  known = new Map<JsonSchema, boolean>(),
): boolean {
  const before = known.get(schema)
  if (before !== undefined) return before
  known.set(schema, false)
  const settled = settles(schema, root, known)
  known.set(schema, settled)
  return settled
}

function settles(schema: JsonSchema, root: JsonSchema, known: Map<JsonSchema, boolean>): boolean {
  if (speaksOfFurther(schema)) return true
  if (readsJointly(schema)) return false
  const { $ref } = schema
  if (typeof $ref === 'string') {
    const target = followReference($ref, root)
    return target !== undefined && isSettled(target, root, known)
  }
  const branches = subschemas(schema).filter(
    ({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf',
  )
  return branches.length > 0 && branches.every((branch) => isSettled(branch.schema, root, known))
}

function namesProperties(schema: JsonSchema, root: JsonSchema): boolean {
  return [...schemasInPlace(schema, root)].some((one) => Object.hasOwn(one, 'properties'))
}

/** References to schemas that some other schema is joined with; closing those would refuse all. */
function joinedReferences(root: JsonSchema): ReadonlySet<string> {
  const found = new Set<string>()
  function visit(schema: JsonSchema, open: boolean): void {
    const together = open || readsJointly(schema)
    const { $ref } = schema
    const joined = together || Object.hasOwn(schema, 'properties')
    if (joined && typeof $ref === 'string') found.add($ref)
    for (const { keyword, schema: child } of subschemas(schema)) {
      const branch = keyword === 'anyOf' || keyword === 'oneOf'
      visit(child, JOINED.has(keyword) || (branch && together))
    }
  }
  visit(root, false)
  return found
}
