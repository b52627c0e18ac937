import { isObject, type JsonSchema } from '../../kernel/json-value.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { compilePattern } from './compile-pattern.ts'
import type { ValueIssue } from './schema-source.ts'
import {
  keywordValue,
  listOf,
  namedSchemas,
  pointerToken,
  referencePath,
  schemaPlaces,
} from './subschemas.ts'
import { type FaultParams, valueKeywords } from './value-keywords.ts'

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

/** The faults of a value, with the schema. */
export interface Faults {
  readonly faults: readonly Fault[]
  readonly root: JsonSchema
}

/** Checks a value. `unchecked` has the issue that stopped the check before its end. */
export type SchemaCheck = (
  value: unknown,
) =>
  | (Faults & { readonly kind: 'checked' })
  | { readonly kind: 'unchecked'; readonly issue: ValueIssue }

/** Work of one validation, in states of patterns that are entered. A usual call needs a few thousand. */
const WORK_LIMIT = 20_000_000

/** The work of applying one schema. */
const SCHEMA_WORK = 40

/** Faults of one branch. Those about unknown names are always kept, since each is to be reported. */
const MAX_FAULTS = 1_000

const TOO_MUCH_WORK: ValueIssue = {
  path: '',
  message: 'takes too much work to check; send a smaller or less deeply nested value',
}

class WorkSpent extends Error {}

/**
 * Compiles the check of a schema that `checkSchema` accepted. No code is generated.
 *
 * The first pass only decides. If the value does not fit, a second pass collects all faults. A check that
 * takes exponential time for a value is stopped, and the value is refused.
 */
export function compileSchema(root: JsonSchema): SchemaCheck {
  const check = new SchemaCompiler(root).compile(root)
  return (value) => {
    try {
      const faults: Fault[] = []
      const fits = check(value, new Run(null), '') || check(value, new Run(faults), '')
      return { kind: 'checked', faults: fits ? [] : faults, root }
    } catch (error) {
      if (error instanceof WorkSpent || error instanceof RangeError) {
        return { kind: 'unchecked', issue: TOO_MUCH_WORK }
      }
      if (WorkspaceError.is(error)) {
        return { kind: 'unchecked', issue: { path: '', message: error.message } }
      }
      throw error
    }
  }
}

/** Applies a schema or a keyword to a value. With `run.faults`, all faults are added to it. */
type Check = (value: unknown, run: Run, path: string) => boolean

/** `maybe` if it depends on a pattern that cannot be checked. */
type Verdict = 'yes' | 'maybe' | 'no'

/** The state of one pass over a value. */
class Run {
  /** Null if only the verdict matters. */
  faults: Fault[] | null
  /** Names and indices that were evaluated, for `unevaluatedProperties` and `unevaluatedItems`; null if neither asks. */
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
    const isKept = (faults?.length ?? 0) < MAX_FAULTS || isAboutUnknown(fault)
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
  judge(check: Check, value: unknown, path: string, faults: Fault[] | null = null): Verdict {
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

/** Unknown names are all to be found, also those in a branch. */
function isAboutUnknown(fault: Fault): boolean {
  return fault.branches !== undefined || unknownName(fault) !== undefined
}

/** Returns the name in an object that its schema does not know; undefined for other faults. */
export function unknownName({ params }: Fault): string | undefined {
  const name: unknown = params['additionalProperty'] ?? params['unevaluatedProperty']
  return typeof name === 'string' ? name : undefined
}

const ALWAYS: Check = () => true

/** Compiles the schemas of one document. Schemas that refer to each other are compiled once. */
class SchemaCompiler {
  readonly #compiled = new Map<JsonSchema, Check>()
  readonly #root: JsonSchema
  #places: ReadonlyMap<string, JsonSchema | boolean> | undefined

  constructor(root: JsonSchema) {
    this.#root = root
  }

  compile(schema: unknown): Check {
    if (!isObject(schema)) return schema === false ? REFUSE : ALWAYS
    const known = this.#compiled.get(schema)
    if (known !== undefined) return known
    const parts: Check[] = []
    const apply: Check = (value, run, path) => {
      run.spend(SCHEMA_WORK)
      let fits = true
      for (const part of parts) {
        if (part(value, run, path)) continue
        if (run.faults === null) return false
        fits = false
      }
      return fits
    }
    const check = asksForEvaluated(schema) ? withOwnEvaluated(apply) : apply
    this.#compiled.set(schema, check)
    parts.push(...this.#parts(schema))
    return check
  }

  #parts(schema: JsonSchema): readonly Check[] {
    const values = valueKeywords(schema).map(
      ({ keyword, fits, faults }): Check =>
        (data, run, path) => {
          if (fits(data)) return true
          for (const params of faults(data)) run.fail({ keyword, path, params, data, schema })
          return false
        },
    )
    const others = [
      this.#pattern(schema),
      this.#reference(schema, '$ref'),
      this.#reference(schema, '$dynamicRef'),
      this.#not(schema),
      this.#anyOf(schema),
      this.#oneOf(schema),
      ...listOf(schema, 'allOf').map((branch) => this.compile(branch)),
      this.#condition(schema),
      this.#dependencies(schema, 'dependentSchemas'),
      this.#dependencies(schema, 'dependencies'),
      this.#propertyNames(schema),
      this.#members(schema),
      this.#items(schema),
      this.#contains(schema),
      this.#unevaluatedItems(schema),
      this.#unevaluatedProperties(schema),
    ]
    return [...values, ...others.filter((part) => part !== undefined)]
  }

  /** Compiles the schema of a keyword; undefined if the schema does not have it. */
  #at(schema: JsonSchema, keyword: string): Check | undefined {
    const inner = keywordValue(schema, keyword)
    return inner === undefined ? undefined : this.compile(inner)
  }

  #reference(schema: JsonSchema, keyword: '$ref' | '$dynamicRef'): Check | undefined {
    const reference = keywordValue(schema, keyword)
    if (typeof reference !== 'string') return undefined
    let target: Check | undefined
    return (value, run, path) => {
      this.#places ??= schemaPlaces(this.#root)
      target ??= this.compile(this.#places.get(referencePath(reference)))
      return target(value, run, path)
    }
  }

  #pattern(schema: JsonSchema): Check | undefined {
    const pattern = keywordValue(schema, 'pattern')
    if (typeof pattern !== 'string') return undefined
    const compiled = compilePattern(pattern)
    return (data, run, path) => {
      if (typeof data !== 'string') return true
      if (!compiled.ok) return (run.isUnsure = true)
      const fits = compiled.test(data, run.spend)
      return fits || run.fail({ keyword: 'pattern', path, params: { pattern }, data, schema })
    }
  }

  #not(schema: JsonSchema): Check | undefined {
    const check = this.#at(schema, 'not')
    return (
      check &&
      ((data, run, path) =>
        run.judge(check, data, path) !== 'yes' ||
        run.fail({ keyword: 'not', path, params: {}, data, schema }))
    )
  }

  #anyOf(schema: JsonSchema): Check | undefined {
    const checks = listOf(schema, 'anyOf').map((branch) => this.compile(branch))
    if (checks.length === 0) return undefined
    return (data, run, path) => {
      const branches: Fault[][] = []
      let fits = false
      for (const check of checks) {
        const faults = run.faults && []
        if (run.judge(check, data, path, faults) === 'no') branches.push(faults ?? [])
        else if (run.evaluated === null) return true
        else fits = true
      }
      return fits || run.fail({ keyword: 'anyOf', path, params: {}, data, schema, branches })
    }
  }

  #oneOf(schema: JsonSchema): Check | undefined {
    const checks = listOf(schema, 'oneOf').map((branch) => this.compile(branch))
    if (checks.length === 0) return undefined
    return (data, run, path) => {
      const branches: Fault[][] = []
      let sure = 0
      let unsure = 0
      for (const check of checks) {
        const faults = run.faults && []
        const verdict = run.judge(check, data, path, faults)
        if (verdict === 'yes') sure += 1
        else if (verdict === 'maybe') unsure += 1
        else branches.push(faults ?? [])
      }
      if (sure <= 1 && sure + unsure > 0) return true
      const fault = { keyword: 'oneOf', path, params: {}, data, schema }
      return run.fail(sure === 0 ? { ...fault, branches } : fault)
    }
  }

  #condition(schema: JsonSchema): Check | undefined {
    const condition = this.#at(schema, 'if')
    if (condition === undefined) return undefined
    const then = this.#at(schema, 'then') ?? ALWAYS
    const otherwise = this.#at(schema, 'else') ?? ALWAYS
    return (value, run, path) => {
      const verdict = run.judge(condition, value, path)
      if (verdict !== 'maybe') return (verdict === 'yes' ? then : otherwise)(value, run, path)
      for (const key of Object.keys(value ?? {})) run.evaluated?.add(key)
      return true
    }
  }

  #dependencies(
    schema: JsonSchema,
    keyword: 'dependentSchemas' | 'dependencies',
  ): Check | undefined {
    const checks = namedSchemas(schema, keyword)
      .filter(([, dependent]) => !Array.isArray(dependent))
      .map(([name, dependent]) => [name, this.compile(dependent)] as const)
    if (checks.length === 0) return undefined
    return (value, run, path) => {
      if (!isObject(value)) return true
      let fits = true
      for (const [name, check] of checks) {
        if (Object.hasOwn(value, name)) fits = check(value, run, path) && fits
      }
      return fits
    }
  }

  #propertyNames(schema: JsonSchema): Check | undefined {
    const check = this.#at(schema, 'propertyNames')
    if (check === undefined) return undefined
    return (data, run, path) => {
      if (!isObject(data)) return true
      let fits = true
      for (const propertyName of Object.keys(data)) {
        const faults = run.faults && []
        if (run.judge(check, propertyName, path, faults) !== 'no') continue
        const params = { propertyName, reason: faults?.[0] }
        fits = run.fail({ keyword: 'propertyNames', path, params, data, schema })
      }
      return fits
    }
  }

  #members(schema: JsonSchema): Check | undefined {
    const named = new Map(
      namedSchemas(schema, 'properties').map(([name, inner]) => [name, this.compile(inner)]),
    )
    const patterns = namedSchemas(schema, 'patternProperties').map(
      ([pattern, inner]) => [compilePattern(pattern), this.compile(inner)] as const,
    )
    const further = this.#at(schema, 'additionalProperties')
    if (named.size === 0 && patterns.length === 0 && further === undefined) return undefined
    return (data, run, path) => {
      if (!isObject(data)) return true
      let fits = true
      for (const name of Object.keys(data)) {
        const own = named.get(name)
        let isKnown = own !== undefined
        if (own !== undefined) fits = run.member(own, data[name], path, name) && fits
        for (const [pattern, check] of patterns) {
          if (!pattern.ok) {
            isKnown = run.isUnsure = true
            run.evaluated?.add(name)
          } else if (pattern.test(name, run.spend)) {
            isKnown = true
            fits = run.member(check, data[name], path, name) && fits
          }
        }
        if (!isKnown && further === REFUSE) {
          const params = { additionalProperty: name }
          fits = run.fail({ keyword: 'additionalProperties', path, params, data, schema })
        } else if (!isKnown && further !== undefined) {
          fits = run.member(further, data[name], path, name) && fits
        }
        if (!fits && run.faults === null) return false
      }
      return fits
    }
  }

  /** A list in `items` is that of draft-07, where `additionalItems` has the others. */
  #items(schema: JsonSchema): Check | undefined {
    const isTuple = Array.isArray(keywordValue(schema, 'items'))
    const first = listOf(schema, isTuple ? 'items' : 'prefixItems').map((inner) =>
      this.compile(inner),
    )
    const further = this.#at(schema, isTuple ? 'additionalItems' : 'items')
    if (first.length === 0 && further === undefined) return undefined
    return (data, run, path) => {
      if (!Array.isArray(data)) return true
      let fits = true
      if (further === REFUSE && data.length > first.length) {
        const params = { limit: first.length }
        fits = run.fail({ keyword: 'items', path, params, data, schema })
      }
      const isOpen = further === undefined || further === REFUSE
      const end = isOpen ? Math.min(first.length, data.length) : data.length
      for (let index = 0; index < end; index += 1) {
        const check = first[index] ?? further ?? ALWAYS
        if (run.member(check, data[index], path, index)) continue
        if (run.faults === null) return false
        fits = false
      }
      return fits
    }
  }

  #contains(schema: JsonSchema): Check | undefined {
    const check = this.#at(schema, 'contains')
    if (check === undefined) return undefined
    const minContains = Number(keywordValue(schema, 'minContains') ?? 1)
    const maxContains = keywordValue(schema, 'maxContains')
    const most = Number(maxContains ?? Infinity)
    return (data, run, path) => {
      if (!Array.isArray(data)) return true
      const { evaluated } = run
      run.evaluated = null
      let sure = 0
      let unsure = 0
      for (const [index, item] of data.entries()) {
        const verdict = run.judge(check, item, path)
        if (verdict === 'no') continue
        evaluated?.add(String(index))
        if (verdict === 'yes') sure += 1
        else unsure += 1
      }
      run.evaluated = evaluated
      if (sure + unsure >= minContains && sure <= most) return true
      const params = { minContains, maxContains }
      return run.fail({ keyword: 'contains', path, params, data, schema })
    }
  }

  #unevaluatedItems(schema: JsonSchema): Check | undefined {
    const check = this.#at(schema, 'unevaluatedItems')
    if (check === undefined) return undefined
    return (data, run, path) => {
      if (!Array.isArray(data)) return true
      const rest = data.flatMap((_, index) =>
        run.evaluated?.has(String(index)) === true ? [] : [index],
      )
      if (check === REFUSE && rest[0] === data.length - rest.length && rest.length > 0) {
        const params = { limit: rest[0] }
        return run.fail({ keyword: 'unevaluatedItems', path, params, data, schema })
      }
      let fits = true
      for (const index of rest) fits = run.member(check, data[index], path, index) && fits
      return fits
    }
  }

  #unevaluatedProperties(schema: JsonSchema): Check | undefined {
    const check = this.#at(schema, 'unevaluatedProperties')
    if (check === undefined) return undefined
    return (data, run, path) => {
      if (!isObject(data)) return true
      let fits = true
      for (const [name, member] of Object.entries(data)) {
        if (run.evaluated?.has(name) === true) continue
        const params = { unevaluatedProperty: name }
        fits =
          (check === REFUSE
            ? run.fail({ keyword: 'unevaluatedProperties', path, params, data, schema })
            : run.member(check, member, path, name)) && fits
      }
      return fits
    }
  }
}

/** The schema of the keyword `false schema` is not an object, so a fault has an empty one. */
const REFUSE: Check = (data, run, path) =>
  run.fail({ keyword: 'false schema', path, params: {}, data, schema: {} })

function asksForEvaluated(schema: JsonSchema): boolean {
  return Object.hasOwn(schema, 'unevaluatedProperties') || Object.hasOwn(schema, 'unevaluatedItems')
}

/** A schema that asks what was evaluated only sees what it evaluated itself. */
function withOwnEvaluated(apply: Check): Check {
  return (value, run, path) => {
    const { evaluated } = run
    const own = new Set<string>()
    run.evaluated = own
    const fits = apply(value, run, path)
    run.evaluated = evaluated
    if (evaluated !== null) for (const key of own) evaluated.add(key)
    return fits
  }
}
