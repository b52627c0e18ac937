import { hasMembers, isObject, type JsonSchema } from '../../kernel/json-value.ts'
import type { Faults } from './compile-schema.ts'
import type { Parsed, ValueIssue } from './schema-source.ts'
import {
  CLOSING_KEYWORDS,
  keywordValue,
  namedSchemas,
  pointerTokens,
  schemasInPlace,
  typesOf,
} from './subschemas.ts'
import { type Fault, unknownName } from './validation-run.ts'
import { describeFault, faultPlace, pickBranches } from './value-issues.ts'

/** Errors that distinguish the branches of a union by the names that are present, not by values. */
const ABOUT_NAMES: ReadonlySet<string> = new Set(['required', 'const', 'enum', 'anyOf', 'oneOf'])

/**
 * Finds arguments that a schema does not know. Used with a schema's own parser, which checks values and
 * would silently drop such arguments.
 *
 * A name that no schema at its place allows is always reported. A name that only another branch of a
 * union allows is reported if names and constants alone decide which branch was meant. If the JSON
 * Schema also has errors about values (the parser coerces), its errors do not identify the branch, and
 * the name is reported if the parser accepted the object and dropped the name.
 */
export function unknownArguments(
  { faults, root }: Faults,
  value: unknown,
  parsed: Parsed<unknown>,
): readonly ValueIssue[] {
  const all = withBranches(faults)
  const unknown = all.filter(isUnknown)
  if (unknown.length === 0) return []
  const picked = pickBranches(faults)
  // Coercion or preprocessing of values cannot fix errors about names.
  const isExact =
    picked.every(isUnknown) && all.every((one) => isUnknown(one) || ABOUT_NAMES.has(one.keyword))
  const schemasAt = schemasByPlace(root)
  const issues = new Map<string, ValueIssue>()
  for (const fault of new Set([...picked.filter(isUnknown), ...unknown])) {
    if (issues.size === MAX_ISSUES) break
    const path = faultPlace(fault)
    const name = unknownName(fault) ?? ''
    const elsewhere = [...schemasAt(fault.path)].some((schema) => allows(schema, name))
    const isMeant =
      !elsewhere ||
      (isExact ? picked.includes(fault) : parsed.ok && isDropped(fault, value, parsed.value))
    if (issues.has(path) || !isMeant) continue
    issues.set(path, { path, message: describeFault(fault, root) })
  }
  return [...issues.values()]
}

/** Unknown arguments that are looked for. Fewer are reported. */
const MAX_ISSUES = 500

/** Returns faults and those of all branches of their unions. */
function withBranches(faults: readonly Fault[]): readonly Fault[] {
  return faults.flatMap((fault) => [...withBranches(fault.branches?.flat() ?? []), fault])
}

function isUnknown(fault: Fault): boolean {
  return unknownName(fault) !== undefined
}

/** Returns true if the parser dropped a name but kept another member. A transformed object proves nothing. */
function isDropped(fault: Fault, value: unknown, output: unknown): boolean {
  const name = unknownName(fault) ?? ''
  const given = memberAt(value, fault.path)
  const kept = memberAt(output, fault.path)
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

/** Keywords with the schemas of a list's items. */
const ITEMS = ['prefixItems', 'items', 'additionalItems', 'unevaluatedItems'] as const

interface Place {
  readonly schemas: ReadonlySet<JsonSchema>
  readonly below: Map<string, Place>
}

/**
 * Creates a function that finds every schema that may apply to the value at a path, in any branch. Paths
 * share the results of their common start, so many paths of a deep value take linear time.
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

/** Returns true if a schema names a member, or allows members that it does not name. */
function allows(schema: JsonSchema, name: string): boolean {
  const { properties, patternProperties } = schema
  return (
    (isObject(properties) && Object.hasOwn(properties, name)) ||
    patternProperties !== undefined ||
    CLOSING_KEYWORDS.some((keyword) => Object.hasOwn(schema, keyword) && schema[keyword] !== false)
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
      : CLOSING_KEYWORDS.map((keyword) => schema[keyword])
  const matched = isObject(patternProperties) ? Object.values(patternProperties) : []
  const items = /^\d+$/u.test(name) ? ITEMS.flatMap((keyword) => schema[keyword]) : []
  return [...named, ...matched, ...items].filter(isObject)
}

/**
 * Returns false when a schema names the members of its values, and a path of names leads to none of them: neither by a
 * name with dots nor by one name for each segment, also in the items of lists. `*` is every member or item. A schema that
 * names no members may have all.
 */
export function mayHaveMember(root: JsonSchema, path: string): boolean {
  // A schema may lead back to itself, with the same rest of the path.
  const met = new Map<JsonSchema, Set<number>>()
  const isBelow = (schema: unknown, segments: readonly string[]): boolean => {
    if (segments.length === 0 || !isObject(schema)) return schema !== false
    const rests = met.get(schema) ?? new Set()
    if (rests.has(segments.length)) return false
    met.set(schema, rests.add(segments.length))
    const all = [...schemasInPlace(schema, root)]
    if (!all.some(saysWhatIsBelow)) return !all.some(isPlain)
    const items = all.flatMap((one) => ITEMS.flatMap((keyword) => keywordValue(one, keyword) ?? []))
    const isPlace = /^(?:\*|\d+)$/u.test(segments[0] ?? '')
    return (
      membersAt(all, segments).some(([one, rest]) => isBelow(one, rest)) ||
      // A rule sees through lists.
      items.some((one) => isBelow(one, segments) || (isPlace && isBelow(one, segments.slice(1))))
    )
  }
  return isBelow(root, path.split('.'))
}

/** Returns true for a schema that says which members or items its values have. */
function saysWhatIsBelow(schema: JsonSchema): boolean {
  return ['properties', ...ITEMS].some((keyword) => Object.hasOwn(schema, keyword))
}

function isPlain(schema: JsonSchema): boolean {
  const types = typesOf(schema)
  return types.length > 0 && !types.includes('object') && !types.includes('array')
}

/** Returns the schemas of the members that a path may begin with, each with what follows its name. */
function membersAt(all: readonly JsonSchema[], segments: readonly string[]) {
  return all.flatMap((schema) => {
    const named = namedSchemas(schema, 'properties')
    const open = CLOSING_KEYWORDS.flatMap((keyword) => keywordValue(schema, keyword) ?? [])
    const others = [...open, ...namedSchemas(schema, 'patternProperties').map(([, one]) => one)]
    return segments.flatMap((_, at) => {
      const [name, rest] = [segments.slice(0, at + 1).join('.'), segments.slice(at + 1)]
      const found = named.filter(([own]) => name === '*' || own === name).map(([, one]) => one)
      return [...found, ...others].map((one) => [one, rest] as const)
    })
  })
}
