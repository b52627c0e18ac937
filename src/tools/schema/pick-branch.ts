import type { ErrorObject } from 'ajv'
import type { JsonSchema } from '../../kernel/json.ts'
import { schemasInPlace, schemasReached } from './local-reference.ts'
import { isSchemaObject } from './subschemas.ts'

/** Faults looked at; choosing among the branches of unions takes time with their square. */
export const FAULT_LIMIT = 500

/**
 * Where no branch of a union fits, keep the faults of the branch that was most likely meant.
 *
 * That is the one whose constants (`kind: "circle"`) fit, then the one with the fewest faults.
 * When the branches differ only in one constant or in type, they become one fault that lists
 * what is allowed. Validators report a union after its branches, inner unions first.
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
      .filter(isSchemaObject)
      .map((branch) => faultsOf(branch, kept, fault, root))
    const inside = new Set(branches.flat())
    kept = [...kept.filter((one) => !inside.has(one)), ...chosen(branches, fault)]
  }
  return kept
}

/** Several branches that fit (`oneOf`) are a fault of another kind. */
function isUnion({ keyword, params }: ErrorObject): boolean {
  return keyword === 'anyOf' || (keyword === 'oneOf' && params['passingSchemas'] === null)
}

/**
 * Told by the schema a fault stands in, for paths of schemas begin anew at each reference.
 * At the union's own place that schema is in place in the branch; deeper, the branch leads to it.
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

/** The value is of another type, or its constant is that of another branch. */
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
