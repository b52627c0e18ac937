import { isObject, type JsonSchema } from '../../kernel/json-value.ts'
import { followReference, listOf, pointerToken } from './subschemas.ts'

/** The arguments of a call in the form that a schema wants, and what was changed. */
export interface RepairedArguments {
  readonly input: unknown
  /** In words, each with its place, such as `/queries: a list instead of its JSON text`. */
  readonly repairs: readonly string[]
}

/**
 * Repairs what models write one level too deep, where the schema wants the other type: JSON text for a list or an object,
 * text for a number or for true and false, null for what may be left out, and `name` or `id` for the one name that is
 * missing. Returns null when there is nothing to repair. The result may still not fit: the schema decides.
 */
export function repairArguments(schema: JsonSchema, given: unknown): RepairedArguments | null {
  const repairs: string[] = []
  const input = repaired(given, { schema, root: schema, at: '', depth: 0, repairs })
  return repairs.length === 0 ? null : { input, repairs }
}

interface Place {
  readonly schema: unknown
  readonly root: JsonSchema
  readonly at: string
  readonly depth: number
  readonly repairs: string[]
}

/** Arguments are not nested deeper; a schema that refers to itself is. */
const DEEPEST = 40

function repaired(given: unknown, place: Place): unknown {
  const { root, at, depth, repairs } = place
  const forms = depth > DEEPEST ? [] : formsIn(place.schema, root)
  const types = new Set(forms.flatMap(typesIn))
  // A form without a type takes anything.
  if (forms.length === 0 || forms.some((form) => typesIn(form).length === 0)) return given
  const value = typeof given === 'string' && !types.has('string') ? readText(given, types) : given
  if (value !== given) repairs.push(`${at}: ${kindInWords(value)} instead of its text`)
  const kind = Array.isArray(value) ? 'array' : isObject(value) ? 'object' : null
  const [form, ...others] = forms.filter((one) => kind !== null && typesIn(one).includes(kind))
  // Of several forms, nobody knows which one is meant.
  if (form === undefined || others.length > 0) return value
  const inside = { root, depth: depth + 1, repairs }
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) =>
      repaired(item, { ...inside, schema: form['items'], at: `${at}/${index}` }),
    )
  }
  return repairedMembers(value as Readonly<Record<string, unknown>>, form, { ...inside, at })
}

function repairedMembers(
  value: Readonly<Record<string, unknown>>,
  form: JsonSchema,
  inside: Omit<Place, 'schema'>,
): unknown {
  const { root, at, repairs } = inside
  const properties = isObject(form['properties']) ? form['properties'] : {}
  const required: readonly unknown[] = Array.isArray(form['required']) ? form['required'] : []
  const missing = required.filter((key): key is string => {
    return typeof key === 'string' && !Object.hasOwn(value, key)
  })
  const unknown = Object.keys(value).filter((key) => !Object.hasOwn(properties, key))
  const [meant = ''] = missing
  const renames =
    missing.length === 1 &&
    unknown.length === 1 &&
    /^(?:name|id)$/u.test(unknown[0] ?? '') &&
    /(?:name|id)$/iu.test(meant)
  const members = Object.entries(value).flatMap(([key, member]): readonly [string, unknown][] => {
    const name = renames && key === unknown[0] ? meant : key
    const here = `${at}/${pointerToken(name)}`
    if (name !== key) repairs.push(`${here}: named "${key}"`)
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined
    const isLeftOut = member === null && schema !== undefined && !required.includes(name)
    if (isLeftOut && !takesNull(schema, root)) {
      repairs.push(`${here}: left out instead of null`)
      return []
    }
    return [[name, repaired(member, { ...inside, schema, at: here })]]
  })
  return Object.fromEntries(members)
}

function takesNull(schema: unknown, root: JsonSchema): boolean {
  const forms = formsIn(schema, root)
  const all = forms.map(typesIn)
  return all.length === 0 || all.some((types) => types.length === 0 || types.includes('null'))
}

/** Reads a text as the type that is wanted; returns it unchanged if it is no such text. */
function readText(text: string, types: ReadonlySet<string>): unknown {
  const trimmed = text.trim()
  const isNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+\-]?\d+)?$/v.test(trimmed)
  if (isNumber && (types.has('number') || types.has('integer'))) {
    const number = Number(trimmed)
    const isWhole = Number.isSafeInteger(number)
    return Number.isFinite(number) && (types.has('number') || isWhole) ? number : text
  }
  if ((trimmed === 'true' || trimmed === 'false') && types.has('boolean')) return trimmed === 'true'
  if (!/^[\[\{]/v.test(trimmed)) return text
  try {
    const value: unknown = JSON.parse(trimmed)
    return types.has(Array.isArray(value) ? 'array' : 'object') ? value : text
  } catch {
    return text
  }
}

function kindInWords(value: unknown): string {
  return Array.isArray(value) ? 'a list' : isObject(value) ? 'an object' : `a ${typeof value}`
}

/**
 * Returns the forms that a schema allows, with its references and its alternatives resolved; none when one of them takes
 * anything, or is met a second time.
 */
function formsIn(
  schema: unknown,
  root: JsonSchema,
  met = new Set<JsonSchema>(),
): readonly JsonSchema[] {
  if (!isObject(schema) || met.has(schema)) return []
  met.add(schema)
  const { $ref: reference } = schema
  if (typeof reference === 'string') return formsIn(followReference(reference, root), root, met)
  const alternatives = [...listOf(schema, 'anyOf'), ...listOf(schema, 'oneOf')]
  if (alternatives.length === 0) return [schema]
  const forms = alternatives.map((one) => formsIn(one, root, met))
  return forms.some((one) => one.length === 0) ? [] : forms.flat()
}

/** Returns the types that a form names; none for one that takes anything. */
function typesIn(form: JsonSchema): readonly string[] {
  const { type, enum: values, const: constant } = form
  if (typeof type === 'string') return [type]
  if (Array.isArray(type)) return type.filter((one) => typeof one === 'string')
  const known = Array.isArray(values) ? values : constant === undefined ? [] : [constant]
  return known.map((one: unknown) =>
    one === null ? 'null' : Array.isArray(one) ? 'array' : typeof one,
  )
}
