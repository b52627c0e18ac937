import { isObject, type JsonSchema } from '../../kernel/json-value.ts'
import { compilePattern } from './compile-pattern.ts'
import { keywordValue, listOf, namedSchemas } from './subschemas.ts'
import { ALWAYS, type Check, REFUSE } from './validation-run.ts'

/** Compiles a schema inside the one that has the keyword. */
export type Compile = (schema: unknown) => Check

/** The keywords of a schema that apply schemas to the members or items of a value. */
export function memberKeywords(schema: JsonSchema, compile: Compile): readonly Check[] {
  return [propertyNames, members, items, contains, unevaluatedItems, unevaluatedProperties].flatMap(
    (keyword) => keyword(schema, compile) ?? [],
  )
}

/** Compiles the schema of a keyword; undefined if the schema does not have it. */
export function compileAt(
  schema: JsonSchema,
  keyword: string,
  compile: Compile,
): Check | undefined {
  const inner = keywordValue(schema, keyword)
  return inner === undefined ? undefined : compile(inner)
}

function propertyNames(schema: JsonSchema, compile: Compile): Check | undefined {
  const check = compileAt(schema, 'propertyNames', compile)
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

function members(schema: JsonSchema, compile: Compile): Check | undefined {
  const named = new Map(
    namedSchemas(schema, 'properties').map(([name, inner]) => [name, compile(inner)]),
  )
  const patterns = namedSchemas(schema, 'patternProperties').map(
    ([pattern, inner]) => [compilePattern(pattern), compile(inner)] as const,
  )
  const further = compileAt(schema, 'additionalProperties', compile)
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
function items(schema: JsonSchema, compile: Compile): Check | undefined {
  const isTuple = Array.isArray(keywordValue(schema, 'items'))
  const first = listOf(schema, isTuple ? 'items' : 'prefixItems').map((inner) => compile(inner))
  const further = compileAt(schema, isTuple ? 'additionalItems' : 'items', compile)
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

function contains(schema: JsonSchema, compile: Compile): Check | undefined {
  const check = compileAt(schema, 'contains', compile)
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

function unevaluatedItems(schema: JsonSchema, compile: Compile): Check | undefined {
  const check = compileAt(schema, 'unevaluatedItems', compile)
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

function unevaluatedProperties(schema: JsonSchema, compile: Compile): Check | undefined {
  const check = compileAt(schema, 'unevaluatedProperties', compile)
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
