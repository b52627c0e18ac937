import { isObject, type JsonSchema } from '../../kernel/json-value.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { compilePattern } from './compile-pattern.ts'
import { compileAt, memberKeywords } from './member-keywords.ts'
import type { ValueIssue } from './schema-source.ts'
import { keywordValue, listOf, namedSchemas, referencePath, schemaPlaces } from './subschemas.ts'
import {
  ALWAYS,
  type Check,
  type Fault,
  REFUSE,
  SCHEMA_WORK,
  ValidationRun,
  WorkSpent,
} from './validation-run.ts'
import { valueKeywords } from './value-keywords.ts'

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

const TOO_MUCH_WORK: ValueIssue = {
  path: '',
  message: 'takes too much work to check; send a smaller or less deeply nested value',
}

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
      const fits =
        check(value, new ValidationRun(null), '') || check(value, new ValidationRun(faults), '')
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

/** Compiles the schemas of one document. Schemas that refer to each other are compiled once. */
class SchemaCompiler {
  readonly #compiled = new Map<JsonSchema, Check>()
  readonly #root: JsonSchema
  #places: ReadonlyMap<string, JsonSchema | boolean> | undefined

  constructor(root: JsonSchema) {
    this.#root = root
  }

  readonly compile = (schema: unknown): Check => {
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
    const asksForEvaluated =
      Object.hasOwn(schema, 'unevaluatedProperties') || Object.hasOwn(schema, 'unevaluatedItems')
    const check = asksForEvaluated ? withOwnEvaluated(apply) : apply
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
    ]
    const inPlace = others.filter((part) => part !== undefined)
    return [...values, ...inPlace, ...memberKeywords(schema, this.compile)]
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
    const check = compileAt(schema, 'not', this.compile)
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
    const condition = compileAt(schema, 'if', this.compile)
    if (condition === undefined) return undefined
    const then = compileAt(schema, 'then', this.compile) ?? ALWAYS
    const otherwise = compileAt(schema, 'else', this.compile) ?? ALWAYS
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
