import type { ErrorObject } from 'ajv'
import type { Parsed, ValueIssue } from '../definition/tool.ts'
import type { Faults } from './compile-schema.ts'
import { describeFault } from './describe-fault.ts'
import { faultPlace, unknownName } from './fault-place.ts'
import { FAULT_LIMIT, pickBranch } from './pick-branch.ts'
import { admits, schemasByPlace } from './schemas-by-place.ts'
import { pointerTokens } from './subschemas.ts'

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
  if (!isObject(given) || !isObject(kept) || Object.hasOwn(kept, name)) return false
  return Object.keys(given).some((one) => Object.hasOwn(kept, one))
}

function memberAt(value: unknown, path: string): unknown {
  let member = value
  for (const token of pointerTokens(path)) {
    if (!isObject(member) || !Object.hasOwn(member, token)) return undefined
    member = member[token]
  }
  return member
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
