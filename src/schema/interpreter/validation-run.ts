import type { JsonSchema } from '../../kernel/json-value.ts'
import { pointerToken } from './subschemas.ts'
import type { FaultParams } from './value-keywords.ts'

/** A keyword that a value, or a part of it, does not fit. */
export interface Fault {
  readonly keyword: string
  /** JSON pointer to the part of the value. */
  readonly path: string
  readonly params: FaultParams
  readonly data: unknown
  /** The schema that has the keyword. */
  readonly schema: JsonSchema
  /** For a union without a matching branch: the faults of each branch. */
  readonly branches?: readonly (readonly Fault[])[]
}

/** Applies a schema or a keyword to a value. With `run.faults`, all faults are added to it. */
export type Check = (value: unknown, run: ValidationRun, path: string) => boolean

/** `maybe` if it depends on a pattern that cannot be checked. */
export type CheckAnswer = 'yes' | 'maybe' | 'no'

/** Work of one validation, in states of patterns that are entered. A usual call needs a few thousand. */
const WORK_LIMIT = 20_000_000

/** The work of applying one schema. */
export const SCHEMA_WORK = 40

/** Faults of one branch. Those about unknown names are always kept, since each is to be reported. */
const MAX_FAULTS = 1_000

/** Thrown when a validation has done all the work that it may do. */
export class WorkSpent extends Error {}

/** The state of one pass over a value. */
export class ValidationRun {
  /** Null if only the verdict matters. */
  faults: Fault[] | null
  /**
   * Names and indices that were evaluated, for `unevaluatedProperties` and `unevaluatedItems`; null if neither asks.
   */
  evaluated: Set<string> | null = null
  /** True after a pattern that cannot be checked was taken for a match. */
  isUnsure = false
  #work = 0

  constructor(faults: Fault[] | null) {
    this.faults = faults
  }

  readonly spend = (work: number): void => {
    this.#work += work
    if (this.#work > WORK_LIMIT) throw new WorkSpent()
  }

  fail(fault: Fault): false {
    const { faults } = this
    // Unknown names are all to be found, also those in a branch.
    const isKept =
      (faults?.length ?? 0) < MAX_FAULTS ||
      fault.branches !== undefined ||
      unknownName(fault) !== undefined
    if (isKept) faults?.push(fault)
    return false
  }

  /** Applies a schema to a member of a value. */
  member(check: Check, value: unknown, path: string, key: string | number): boolean {
    const { evaluated } = this
    if (evaluated === null && this.faults === null) return check(value, this, path)
    this.evaluated = null
    const fits = check(value, this, `${path}/${pointerToken(String(key))}`)
    this.evaluated = evaluated
    evaluated?.add(String(key))
    return fits
  }

  /** Applies a schema that may fail, such as a branch of a union. Its faults go to a list of their own. */
  judge(check: Check, value: unknown, path: string, faults: Fault[] | null = null): CheckAnswer {
    const { faults: outerFaults, evaluated, isUnsure } = this
    this.faults = faults
    this.evaluated = evaluated && new Set()
    this.isUnsure = false
    const fits = check(value, this, path)
    const verdict = fits ? (this.isUnsure ? 'maybe' : 'yes') : 'no'
    if (fits && evaluated !== null) this.evaluated?.forEach((key) => evaluated.add(key))
    this.faults = outerFaults
    this.evaluated = evaluated
    this.isUnsure = isUnsure || verdict === 'maybe'
    return verdict
  }
}

/** Returns the name in an object that its schema does not know; undefined for other faults. */
export function unknownName({ params }: Fault): string | undefined {
  const name: unknown = params['additionalProperty'] ?? params['unevaluatedProperty']
  return typeof name === 'string' ? name : undefined
}

/** Accepts every value. */
export const ALWAYS: Check = () => true

/** The schema of the keyword `false schema` is not an object, so a fault has an empty one. */
export const REFUSE: Check = (data, run, path) =>
  run.fail({ keyword: 'false schema', path, params: {}, data, schema: {} })
