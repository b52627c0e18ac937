import type { ErrorObject } from 'ajv'
import { hasMembers, isObject, type JsonSchema } from '../../kernel/json-value.ts'
import type { Faults } from './compile-schema.ts'
import type { Parsed, ValueIssue } from './schema-source.ts'
import { pointerTokens, schemasInPlace } from './subschemas.ts'
import { describeFault, FAULT_LIMIT, faultPlace, pickBranch, unknownName } from './value-issues.ts'

/** Faults that tell one branch of a union from another by what is there, not by its values. */
const ABOUT_NAMES: ReadonlySet<string> = new Set(['required', 'const', 'enum', 'anyOf', 'oneOf'])

/**
 * The arguments that a schema does not know, found beside a parser that is the judge of values
 * and would drop such an argument in silence.
 *
 * A name that no schema at its place admits is always told. One that only another branch admits
 * is told when names and constants alone say which branch was meant. Where the JSON Schema
 * complains of values too (the parser coerces), what it says of branches proves nothing, and the
 * name is told when the parser accepted the object and did drop it.
 */
export function unknownArguments(
  { faults, root }: Faults,
  value: unknown,
  parsed: Parsed<unknown>,
): readonly ValueIssue[] {
  const unknown = faults.filter(isUnknown)
  if (unknown.length === 0) return []
  const isMany = faults.length > FAULT_LIMIT
  const picked = isMany ? unknown : pickBranch(faults, root)
  const isExact = !isMany && picked.every(isUnknown) && faults.every(isAboutNames)
  const isMeant = (fault: ErrorObject) =>
    isExact ? picked.includes(fault) : parsed.ok && isDropped(fault, value, parsed.value)
  const schemasAt = schemasByPlace(root)
  const told = new Map<string, ValueIssue>()
  for (const fault of new Set([...picked.filter(isUnknown), ...unknown])) {
    if (told.size === FAULT_LIMIT) break
    const path = faultPlace(fault)
    const name = unknownName(fault) ?? ''
    const elsewhere = [...schemasAt(fault.instancePath)].some((schema) => admits(schema, name))
    if (told.has(path) || (elsewhere && !isMeant(fault))) continue
    told.set(path, { path, message: describeFault(fault, root) })
  }
  return [...told.values()]
}

function isUnknown(fault: ErrorObject): boolean {
  return unknownName(fault) !== undefined
}

/** Neither coercion nor preprocessing of a value would mend it. */
function isAboutNames(fault: ErrorObject): boolean {
  return isUnknown(fault) || ABOUT_NAMES.has(fault.keyword)
}

/** The object is still there with another of its members; one that was transformed tells nothing. */
function isDropped(fault: ErrorObject, value: unknown, output: unknown): boolean {
  const name = unknownName(fault) ?? ''
  const given = memberAt(value, fault.instancePath)
  const kept = memberAt(output, fault.instancePath)
  if (!hasMembers(given) || !hasMembers(kept) || Object.hasOwn(kept, name)) return false
  return Object.keys(given).some((one) => Object.hasOwn(kept, one))
}

function memberAt(value: unknown, path: string): unknown {
  let member = value
  for (const token of pointerTokens(path)) {
    if (!hasMembers(member) || !Object.hasOwn(member, token)) return undefined
    member = member[token]
  }
  return member
}

/** Keywords that say what members without a name of their own are, and items likewise. */
const FURTHER = ['additionalProperties', 'unevaluatedProperties'] as const

const ITEMS = ['prefixItems', 'items', 'additionalItems', 'unevaluatedItems'] as const

interface Place {
  readonly schemas: ReadonlySet<JsonSchema>
  readonly below: Map<string, Place>
}

/**
 * Finds every schema that may apply to the value at a path, in whichever branch. Paths share
 * what was walked for others, so asking for many in a deep value takes time with its size.
 */
function schemasByPlace(root: JsonSchema): (path: string) => ReadonlySet<JsonSchema> {
  const top: Place = { schemas: schemasInPlace(root, root), below: new Map() }
  return (path) => {
    let place = top
    for (const name of pointerTokens(path)) {
      const known = place.below.get(name)
      const next = known ?? { schemas: step(place.schemas, name, root), below: new Map() }
      if (known === undefined) place.below.set(name, next)
      place = next
    }
    return place.schemas
  }
}

/** True when a schema names a member, or lets in members it does not name. */
function admits(schema: JsonSchema, name: string): boolean {
  const { properties, patternProperties } = schema
  return (
    (isObject(properties) && Object.hasOwn(properties, name)) ||
    patternProperties !== undefined ||
    FURTHER.some((keyword) => Object.hasOwn(schema, keyword) && schema[keyword] !== false)
  )
}

function step(
  schemas: ReadonlySet<JsonSchema>,
  name: string,
  root: JsonSchema,
): ReadonlySet<JsonSchema> {
  const below = new Set<JsonSchema>()
  for (const schema of schemas) {
    for (const child of members(schema, name)) {
      for (const one of schemasInPlace(child, root)) below.add(one)
    }
  }
  return below
}

function members(schema: JsonSchema, name: string): readonly JsonSchema[] {
  const { properties, patternProperties } = schema
  const named =
    isObject(properties) && Object.hasOwn(properties, name)
      ? [properties[name]]
      : FURTHER.map((keyword) => schema[keyword])
  const matched = isObject(patternProperties) ? Object.values(patternProperties) : []
  const items = /^\d+$/u.test(name) ? ITEMS.flatMap((keyword) => schema[keyword]) : []
  return [...named, ...matched, ...items].filter(isObject)
}
