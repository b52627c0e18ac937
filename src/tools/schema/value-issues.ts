import type { ErrorObject } from 'ajv'
import { isObject, type JsonSchema } from '../../kernel/json-value.ts'
import { nearestNames } from '../../kernel/nearest-names.ts'
import type { Faults } from './compile-schema.ts'
import type { ValueIssue } from './schema-source.ts'
import { pointerToken, schemasInPlace, schemasReached } from './subschemas.ts'
import { NO_LIMIT, UNIQUE_KEYWORD } from './validation-copy.ts'

/**
 * Converts the errors of a validator to issues from which a model can repair its call: each has the place,
 * the expected value, and the nearest known name or allowed value.
 */
export function valueIssues({ faults, root }: Faults): readonly ValueIssue[] {
  const issues = new Map<string, ValueIssue>()
  for (const fault of pickBranch(faults.slice(0, FAULT_LIMIT), root)) {
    const issue = { path: faultPlace(fault), message: describeFault(fault, root) }
    issues.set(`${issue.path} ${issue.message}`, issue)
  }
  return limitIssues([...issues.values()])
}

/** Issues in one report. A model repairs a call in several rounds. */
const ISSUE_LIMIT = 20

/** Returns the first issues, and the number of the others. */
export function limitIssues(issues: readonly ValueIssue[]): readonly ValueIssue[] {
  if (issues.length <= ISSUE_LIMIT) return issues
  const more = { path: '', message: `has ${issues.length - ISSUE_LIMIT} more problems` }
  return [...issues.slice(0, ISSUE_LIMIT), more]
}

/** Returns the name in an object that its schema does not know; undefined for other errors. */
export function unknownName({ params }: ErrorObject): string | undefined {
  const name: unknown = params['additionalProperty'] ?? params['unevaluatedProperty']
  return typeof name === 'string' ? name : undefined
}

/** Returns the path to correct. For a missing or unknown member, the path ends with its name. */
export function faultPlace(fault: ErrorObject): string {
  const { instancePath, params } = fault
  const member: unknown = params['missingProperty'] ?? unknownName(fault) ?? params['propertyName']
  return typeof member === 'string' ? `${instancePath}/${pointerToken(member)}` : instancePath
}

/** Errors that are considered. Picking the branches of unions takes quadratic time. */
export const FAULT_LIMIT = 500

/**
 * Keeps only the errors of the branch that was most likely meant, for each union without a matching branch.
 *
 * That is a branch with matching constants (`kind: "circle"`), and of several the one with the fewest
 * errors. If the branches differ only in one constant or in type, they become one error that lists the
 * allowed values. Validators report a union after its branches, inner unions first.
 */
export function pickBranch(
  faults: readonly ErrorObject[],
  root: JsonSchema,
): readonly ErrorObject[] {
  let kept: readonly ErrorObject[] = []
  for (const fault of faults) {
    if (!isUnion(fault)) {
      kept = [...kept, fault]
      continue
    }
    const branches = (fault.schema as readonly unknown[])
      .filter(isObject)
      .map((branch) => faultsOf(branch, kept, fault, root))
    const inside = new Set(branches.flat())
    kept = [...kept.filter((one) => !inside.has(one)), ...chosen(branches, fault)]
  }
  return kept
}

/** Returns true for a union without a matching branch. Several matching branches (`oneOf`) are another error. */
function isUnion({ keyword, params }: ErrorObject): boolean {
  return keyword === 'anyOf' || (keyword === 'oneOf' && params['passingSchemas'] === null)
}

/**
 * Returns the errors of one branch of a union. They are found by their schema, because the paths of schemas
 * start again at each reference. At the place of the union, the schema applies in the branch; below it,
 * the branch contains or refers to the schema.
 */
function faultsOf(
  branch: JsonSchema,
  faults: readonly ErrorObject[],
  { instancePath }: ErrorObject,
  root: JsonSchema,
): readonly ErrorObject[] {
  const inPlace = schemasInPlace(branch, root)
  const reached = schemasReached(branch, root)
  return faults.filter((fault) => {
    const schema = fault.parentSchema as JsonSchema
    if (fault.instancePath === instancePath) return inPlace.has(schema)
    return fault.instancePath.startsWith(`${instancePath}/`) && reached.has(schema)
  })
}

function chosen(
  branches: readonly (readonly ErrorObject[])[],
  union: ErrorObject,
): readonly ErrorObject[] {
  const meant = branches
    .filter((branch) => branch.length > 0 && !branch.some((one) => isOtherKind(one, union)))
    .sort((a, b) => a.length - b.length)
  const [best] = meant
  if (best !== undefined) return best
  const kinds = branches.flatMap((branch) => branch.find((one) => isOtherKind(one, union)) ?? [])
  return merged(kinds) ?? [union]
}

/** Returns true if the value has the type or the constant of another branch. */
function isOtherKind({ keyword, instancePath }: ErrorObject, union: ErrorObject): boolean {
  const below = instancePath.slice(union.instancePath.length).split('/').length - 1
  if (keyword === 'type') return below === 0
  return (keyword === 'const' || keyword === 'enum') && below <= 1
}

function merged(kinds: readonly ErrorObject[]): readonly ErrorObject[] | undefined {
  const ofKind = kinds.filter(({ keyword }) => keyword !== 'type')
  const [first] = ofKind.length === 0 ? kinds : ofKind
  if (first === undefined) return undefined
  if (ofKind.length === 0) {
    const type = [...new Set(kinds.flatMap(({ params }) => params['type'] as string | string[]))]
    return [{ ...first, params: { type } }]
  }
  if (ofKind.some(({ instancePath }) => instancePath !== first.instancePath)) return undefined
  const allowedValues = ofKind.flatMap(({ params }) =>
    'allowedValues' in params ? (params['allowedValues'] as unknown[]) : [params['allowedValue']],
  )
  return [{ ...first, keyword: 'enum', params: { allowedValues } }]
}

/** Names or values listed in one message. */
const LIST_LIMIT = 20

/** Characters of one name or value in a message. */
const VALUE_LIMIT = 80

type Describe = (fault: ErrorObject, root: JsonSchema) => string

const COMPARISONS: Readonly<Record<string, string>> = {
  '>=': 'at least',
  '<=': 'at most',
  '>': 'above',
  '<': 'below',
}

/** Describes a problem as the end of a sentence that starts with its place. */
export function describeFault(fault: ErrorObject, root: JsonSchema): string {
  return DESCRIPTIONS.get(fault.keyword)?.(fault, root) ?? `does not match "${fault.keyword}"`
}

const limit: Describe = ({ params }) =>
  `must be ${COMPARISONS[String(params['comparison'])]} ${params['limit']}`

const size =
  (bound: string, unit: string): Describe =>
  ({ params }) =>
    `must have ${bound} ${params['limit']} ${unit}${params['limit'] === 1 ? '' : 's'}`

const contained: Describe = ({ params: { minContains, maxContains } }) => {
  const items = (count: unknown) => `${count} matching item${count === 1 ? '' : 's'}`
  const least = `must contain at least ${items(minContains)}`
  return maxContains === NO_LIMIT ? least : `${least} and at most ${maxContains}`
}

const together: Describe = ({ params }) => `is required together with "${params['property']}"`

const DESCRIPTIONS: ReadonlyMap<string, Describe> = new Map<string, Describe>([
  ['required', () => 'is required'],
  [
    'additionalProperties',
    ({ params, ...fault }, root) => unknown(params['additionalProperty'], fault, root),
  ],
  [
    'unevaluatedProperties',
    ({ params, ...fault }, root) => unknown(params['unevaluatedProperty'], fault, root),
  ],
  [
    'type',
    ({ params, data }) => `must be ${orList([params['type']].flat())}, not ${typeName(data)}`,
  ],
  ['enum', ({ params, data }) => oneOf(params['allowedValues'] as readonly unknown[], data)],
  ['const', ({ params, data }) => oneOf([params['allowedValue']], data)],
  ['minimum', limit],
  ['maximum', limit],
  ['exclusiveMinimum', limit],
  ['exclusiveMaximum', limit],
  ['multipleOf', ({ params }) => `must be a multiple of ${params['multipleOf']}`],
  ['minLength', size('at least', 'character')],
  ['maxLength', size('at most', 'character')],
  ['minItems', size('at least', 'item')],
  ['maxItems', size('at most', 'item')],
  ['items', size('at most', 'item')],
  ['unevaluatedItems', ({ params }) => `must have at most ${params['len']} items`],
  ['minProperties', size('at least', 'member')],
  ['maxProperties', size('at most', 'member')],
  [UNIQUE_KEYWORD, () => 'must not contain the same item twice'],
  ['contains', contained],
  ['propertyNames', () => 'has a name that is not allowed'],
  ['dependentRequired', together],
  ['dependencies', together],
  ['not', () => 'has a form that is not allowed'],
  ['anyOf', () => 'matches none of the allowed forms'],
  [
    'oneOf',
    ({ params }) =>
      params['passingSchemas'] === null
        ? 'matches none of the allowed forms'
        : 'matches several forms, but only one is allowed',
  ],
  ['false schema', () => 'is not allowed'],
])

function unknown(
  name: unknown,
  { parentSchema }: Pick<ErrorObject, 'parentSchema'>,
  root: JsonSchema,
): string {
  const known = knownNames(parentSchema, root)
  const [nearest] = nearestNames(String(name), known, 1)
  const meant = nearest === undefined ? '' : `; did you mean ${quote(nearest)}?`
  if (known.length === 0) return `${quote(name)} is unknown; nothing is expected here`
  return `${quote(name)} is unknown${meant}${meant === '' ? ';' : ''} known here: ${list(known)}`
}

function knownNames(schema: unknown, root: JsonSchema): readonly string[] {
  if (!isObject(schema)) return []
  const properties = [...schemasInPlace(schema, root)].map((one) => one['properties'])
  return [...new Set(properties.filter(isObject).flatMap((one) => Object.keys(one)))]
}

function oneOf(allowed: readonly unknown[], data: unknown): string {
  const names = allowed.filter((value) => typeof value === 'string')
  const [nearest] = typeof data === 'string' ? nearestNames(data, names, 1) : []
  const meant =
    nearest === undefined || allowed.length === 1 ? '' : `; did you mean ${quote(nearest)}?`
  return `must be ${allowed.length === 1 ? '' : 'one of '}${list(allowed)}${meant}`
}

function list(values: readonly unknown[]): string {
  const shown = values.slice(0, LIST_LIMIT).map(quote).join(', ')
  return values.length > LIST_LIMIT ? `${shown} and ${values.length - LIST_LIMIT} more` : shown
}

function quote(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > VALUE_LIMIT ? `${text.slice(0, VALUE_LIMIT)}…` : text
}

function orList(types: readonly unknown[]): string {
  return types.map(String).join(' or ')
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (value === undefined) return 'missing'
  return Array.isArray(value) ? 'array' : typeof value
}
