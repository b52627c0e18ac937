import type { JsonSchema } from '../../kernel/json-value.ts'
import {
  CLOSING_KEYWORDS,
  followReference,
  mapSubschemas,
  schemasInPlace,
  subschemas,
} from './subschemas.ts'

/** Keywords whose schemas apply together with their parent, so they cannot be closed alone. */
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
 * Closes the top of a schema that was written by hand, so that unknown arguments are refused. Nested
 * objects stay open unless the schema closes them, as in JSON Schema.
 *
 * A schema with `additionalProperties` or `unevaluatedProperties` is not changed, and neither is a schema
 * without properties (any object). With combinators the keyword is `unevaluatedProperties`, which
 * considers the properties of every branch. Closing twice changes nothing, so a stored definition keeps
 * its hash.
 */
export function closeSchemaTop(root: JsonSchema): JsonSchema {
  if (isDecided(root, root) || joinedReferences(root).has('#')) return root
  return closeOne(root, root)
}

/**
 * Closes every object of a schema that a library generated, so that unknown arguments are refused at every
 * depth. In such a schema, an object that does not mention further properties has only its own.
 * Objects that apply together (an intersection) are closed together, in their common parent. zod does
 * not mark a loose member of an intersection, so such an intersection is closed, too.
 */
export function closeSchema(root: JsonSchema): JsonSchema {
  const joined = joinedReferences(root)

  function close(schema: JsonSchema, pointer: string, open: boolean): JsonSchema {
    const together = open || appliesJointly(schema)
    const closed = mapSubschemas(schema, (child, keyword, step) => {
      const place = pointer + step
      if (JOINED.has(keyword)) return close(child, place, true)
      if (keyword === 'anyOf' || keyword === 'oneOf') return close(child, place, together)
      return close(child, place, joined.has(place))
    })
    if (open || mentionsFurther(closed)) return closed
    const { $ref } = schema
    const refersToOpen = typeof $ref === 'string' && joined.has($ref)
    if (!together && !refersToOpen && !Object.hasOwn(schema, 'properties')) return closed
    return closeOne(closed, root)
  }

  return close(root, '#', joined.has('#'))
}

function closeOne(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const namesProperties = [...schemasInPlace(schema, root)].some((one) =>
    Object.hasOwn(one, 'properties'),
  )
  if (!namesProperties) return schema
  const combined = COMBINATORS.some((keyword) => Object.hasOwn(schema, keyword))
  return { ...schema, [combined ? 'unevaluatedProperties' : 'additionalProperties']: false }
}

function appliesJointly(schema: JsonSchema): boolean {
  const own = Object.hasOwn(schema, 'properties') || Object.hasOwn(schema, '$ref')
  const branches = Object.hasOwn(schema, 'anyOf') || Object.hasOwn(schema, 'oneOf')
  return (own && branches) || subschemas(schema).some(({ keyword }) => JOINED.has(keyword))
}

function mentionsFurther(schema: JsonSchema): boolean {
  return CLOSING_KEYWORDS.some((keyword) => Object.hasOwn(schema, keyword))
}

/**
 * Returns true for a schema that is already closed or opened: itself, or in each branch of a plain union.
 * Each schema is decided once, because references may lead to it on exponentially many paths.
 */
function isDecided(
  schema: JsonSchema,
  root: JsonSchema,
  known = new Map<JsonSchema, boolean>(),
): boolean {
  const before = known.get(schema)
  if (before !== undefined) return before
  known.set(schema, false)
  const decided = decides(schema, root, known)
  known.set(schema, decided)
  return decided
}

function decides(schema: JsonSchema, root: JsonSchema, known: Map<JsonSchema, boolean>): boolean {
  if (mentionsFurther(schema)) return true
  if (appliesJointly(schema)) return false
  const { $ref } = schema
  if (typeof $ref === 'string') {
    const target = followReference($ref, root)
    return target !== undefined && isDecided(target, root, known)
  }
  const branches = subschemas(schema).filter(
    ({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf',
  )
  return branches.length > 0 && branches.every((branch) => isDecided(branch.schema, root, known))
}

/** Returns references to schemas that are joined with another schema. Closing those would refuse every value. */
function joinedReferences(root: JsonSchema): ReadonlySet<string> {
  const found = new Set<string>()
  function visit(schema: JsonSchema, open: boolean): void {
    const together = open || appliesJointly(schema)
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
