import { isObject, type JsonSchema } from '../../kernel/json-value.ts'
import { nearestNames } from '../../kernel/nearest-names.ts'
import type { Faults } from './compile-schema.ts'
import type { ValueIssue } from './schema-source.ts'
import { pointerToken, schemasInPlace } from './subschemas.ts'
import { type Fault, unknownName } from './validation-run.ts'

/**
 * Converts the errors of a validator to issues from which a model can repair its call: each has the place,
 * the expected value, and the nearest known name or allowed value.
 */
export function valueIssues({ faults, root }: Faults): readonly ValueIssue[] {
  const issues = new Map<string, ValueIssue>()
  for (const fault of pickBranches(faults.slice(0, FAULT_LIMIT))) {
    const issue = { path: faultPlace(fault), message: describeFault(fault, root) }
    issues.set(`${issue.path} ${issue.message}`, issue)
  }
  return limitIssues([...issues.values()])
}

/** Faults that are considered. Describing one compares names, and a report only has the first. */
const FAULT_LIMIT = 500

/** Issues in one report. A model repairs a call in several rounds. */
const ISSUE_LIMIT = 20

/** Returns the first issues, and the number of the others. */
export function limitIssues(issues: readonly ValueIssue[]): readonly ValueIssue[] {
  if (issues.length <= ISSUE_LIMIT) return issues
  const more = { path: '', message: `has ${issues.length - ISSUE_LIMIT} more problems` }
  return [...issues.slice(0, ISSUE_LIMIT), more]
}

/** Returns the path to correct. For a missing or unknown member, the path ends with its name. */
export function faultPlace(fault: Fault): string {
  const { path, params } = fault
  const member: unknown = params['missingProperty'] ?? unknownName(fault) ?? params['propertyName']
  return typeof member === 'string' ? `${path}/${pointerToken(member)}` : path
}

/**
 * Replaces each union without a matching branch by the faults of the branch that was most likely meant.
 *
 * That is a branch with matching constants (`kind: "circle"`), and of several the one with the fewest
 * faults. If the branches differ only in one constant or in type, they become one fault that lists the
 * allowed values.
 */
export function pickBranches(faults: readonly Fault[]): readonly Fault[] {
  return faults.flatMap((fault) =>
    fault.branches === undefined ? [fault] : chosen(fault.branches.map(pickBranches), fault),
  )
}

function chosen(branches: readonly (readonly Fault[])[], union: Fault): readonly Fault[] {
  const meant = branches
    .filter((branch) => branch.length > 0 && !branch.some((one) => isOtherKind(one, union)))
    .sort((a, b) => a.length - b.length)
  const [best] = meant
  if (best !== undefined) return best
  const kinds = branches.flatMap((branch) => branch.find((one) => isOtherKind(one, union)) ?? [])
  return merged(kinds) ?? [union]
}

/** Returns true if the value has the type or the constant of another branch. */
function isOtherKind({ keyword, path }: Fault, union: Fault): boolean {
  const below = path.slice(union.path.length).split('/').length - 1
  if (keyword === 'type') return below === 0
  return (keyword === 'const' || keyword === 'enum') && below <= 1
}

function merged(kinds: readonly Fault[]): readonly Fault[] | undefined {
  const ofKind = kinds.filter(({ keyword }) => keyword !== 'type')
  const [first] = ofKind.length === 0 ? kinds : ofKind
  if (first === undefined) return undefined
  if (ofKind.length === 0) {
    const type = [...new Set(kinds.flatMap(({ params }) => params['type'] as string | string[]))]
    return [{ ...first, params: { type } }]
  }
  if (ofKind.some(({ path }) => path !== first.path)) return undefined
  const allowedValues = ofKind.flatMap(({ params }) =>
    'allowedValues' in params ? (params['allowedValues'] as unknown[]) : [params['allowedValue']],
  )
  return [{ ...first, keyword: 'enum', params: { allowedValues } }]
}

/** Names or values listed in one message. */
const LIST_LIMIT = 20

/** Characters of one name or value in a message. */
const VALUE_LIMIT = 80

type Describe = (fault: Fault, root: JsonSchema) => string

const COMPARISONS: Readonly<Record<string, string>> = {
  '>=': 'at least',
  '<=': 'at most',
  '>': 'above',
  '<': 'below',
}

/** Describes a problem as the end of a sentence that starts with its place. */
export function describeFault(fault: Fault, root: JsonSchema): string {
  return DESCRIPTIONS.get(fault.keyword)?.(fault, root) ?? `does not match "${fault.keyword}"`
}

const limit: Describe = ({ params }) =>
  `must be ${COMPARISONS[String(params['comparison'])]} ${params['limit']}`

const size =
  (bound: string, unit: string): Describe =>
  ({ params }) =>
    `must have ${bound} ${params['limit']} ${unit}${params['limit'] === 1 ? '' : 's'}`

const contained: Describe = ({ params: { minContains, maxContains } }) => {
  const least = `must contain at least ${minContains} matching item${minContains === 1 ? '' : 's'}`
  return maxContains === undefined ? least : `${least} and at most ${maxContains}`
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
    ({ params, data }) =>
      `must be ${[params['type']].flat().map(String).join(' or ')}, not ${typeName(data)}`,
  ],
  ['enum', ({ params, data }) => mustBe(params['allowedValues'] as readonly unknown[], data)],
  ['const', ({ params, data }) => mustBe([params['allowedValue']], data)],
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
  ['unevaluatedItems', size('at most', 'item')],
  ['minProperties', size('at least', 'member')],
  ['maxProperties', size('at most', 'member')],
  ['uniqueItems', () => 'must not contain the same item twice'],
  ['contains', contained],
  [
    'pattern',
    // With single backslashes.
    ({ params }) => `must match the pattern ${quote(params['pattern']).replaceAll('\\\\', '\\')}`,
  ],
  [
    'propertyNames',
    ({ params }, root) =>
      `has a name that is not allowed${params['reason'] === undefined ? '' : `: it ${describeFault(params['reason'] as Fault, root)}`}`,
  ],
  ['dependentRequired', together],
  ['dependencies', together],
  ['not', () => 'has a form that is not allowed'],
  ['anyOf', () => 'matches none of the allowed forms'],
  [
    'oneOf',
    ({ branches }) =>
      branches !== undefined
        ? 'matches none of the allowed forms'
        : 'matches several forms, but only one is allowed',
  ],
  ['false schema', () => 'is not allowed'],
])

function unknown(name: unknown, { schema }: Pick<Fault, 'schema'>, root: JsonSchema): string {
  const properties = [...schemasInPlace(schema, root)].map((one) => one['properties'])
  const known = [...new Set(properties.filter(isObject).flatMap((one) => Object.keys(one)))]
  const [nearest] = nearestNames(String(name), known, 1)
  const meant = nearest === undefined ? '' : `; did you mean ${quote(nearest)}?`
  if (known.length === 0) return `${quote(name)} is unknown; nothing is expected here`
  return `${quote(name)} is unknown${meant}${meant === '' ? ';' : ''} known here: ${list(known)}`
}

function mustBe(allowed: readonly unknown[], data: unknown): string {
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

function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (value === undefined) return 'missing'
  return Array.isArray(value) ? 'array' : typeof value
}
