import type { JsonSchema } from '../../../entries/index.ts'
import { identityMemo, isObject, type ValueIssue } from '../../../entries/kit.ts'
import { compileSchema } from '../../../schema/interpreter/compile-schema.ts'
import { pointerToken } from '../../../schema/interpreter/subschemas.ts'
import { valueIssues } from '../../../schema/interpreter/value-issues.ts'

type Path = readonly (string | number)[]

/** One argument of a tool, or a part of one. */
export interface FormField {
  readonly path: Path
  /** `to`, `options.priority`, `rows[0]`. */
  readonly label: string
  readonly kind: 'text' | 'number' | 'choice' | 'json'
  /** The values of an enum, a constant or a boolean; empty for other kinds. */
  readonly choices: readonly unknown[]
  readonly required: boolean
  readonly description: string
  /** The format that its schema names: `email`. */
  readonly format?: string
}

/** Deeper parts are written as JSON. */
const DEEPEST = 5

/**
 * Lists the fields for the arguments of a tool: one for each property, the parts of nested objects, the items of
 * arrays, and one more item to fill in.
 */
export function formFields(root: JsonSchema, value: unknown): readonly FormField[] {
  return fieldsAt(root, root, value, { path: [], label: '', required: true })
}

function fieldsAt(
  root: JsonSchema,
  written: unknown,
  value: unknown,
  at: Pick<FormField, 'path' | 'label' | 'required'>,
): readonly FormField[] {
  const schema = resolved(root, written)
  const { path, label } = at
  const isDeep = path.length >= DEEPEST
  const { enum: listed, const: only, properties, items, type, description, format } = schema
  const about = typeof description === 'string' ? description : ''
  const field = (kind: FormField['kind'], choices: readonly unknown[] = []): FormField[] => [
    { ...at, kind, choices, description: about, ...(typeof format === 'string' && { format }) },
  ]
  if (Array.isArray(listed)) return field('choice', listed)
  if ('const' in schema) return field('choice', [only])
  if (isObject(properties) && !isDeep) {
    const required = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
    return Object.entries(properties).flatMap(([name, part]) =>
      fieldsAt(root, part, isObject(value) ? value[name] : undefined, {
        path: [...path, name],
        label: label === '' ? name : `${label}.${name}`,
        required: required.has(name),
      }),
    )
  }
  if (path.length === 0) return []
  if (isObject(items) && !isDeep) {
    const present: readonly unknown[] = Array.isArray(value) ? value : []
    return [...present, undefined].flatMap((item, index) =>
      fieldsAt(root, items, item, {
        path: [...path, index],
        label: `${label}[${index}]`,
        required: false,
      }),
    )
  }
  const single: unknown = Array.isArray(type) ? type.find((one) => one !== 'null') : type
  if (single === 'boolean') return field('choice', [true, false])
  if (single === 'string') return field('text')
  return field(single === 'number' || single === 'integer' ? 'number' : 'json')
}

/** Follows references inside the document, as far as a chain of them is sensible. */
function resolved(root: JsonSchema, schema: unknown): Readonly<Record<string, unknown>> {
  let found = schema
  for (let step = 0; step < DEEPEST && isObject(found); step += 1) {
    const reference = found['$ref']
    if (typeof reference !== 'string' || !reference.startsWith('#/')) return found
    found = reference
      .slice(2)
      .split('/')
      .reduce<unknown>((inside, name) => (isObject(inside) ? inside[name] : undefined), root)
  }
  return {}
}

/** Returns the arguments that a schema has values for: its defaults and constants. */
export function initialArguments(root: JsonSchema): unknown {
  return initialAt(root, root, 0) ?? {}
}

function initialAt(root: JsonSchema, written: unknown, depth: number): unknown {
  const schema = resolved(root, written)
  if ('default' in schema) return schema['default']
  if ('const' in schema) return schema['const']
  const { properties } = schema
  if (!isObject(properties) || depth >= DEEPEST) return undefined
  const parts = Object.entries(properties).flatMap(([name, part]) => {
    const value = initialAt(root, part, depth + 1)
    return value === undefined ? [] : [[name, value] as const]
  })
  return parts.length === 0 ? undefined : Object.fromEntries(parts)
}

/** Returns the value at a path as the text of its field; empty for a missing one. */
export function textOfField(value: unknown, { path }: Pick<FormField, 'path'>): string {
  const found = path.reduce<unknown>(
    (inside, step) =>
      typeof inside === 'object' && inside !== null && Object.hasOwn(inside, step)
        ? (inside as Readonly<Record<string | number, unknown>>)[step]
        : undefined,
    value,
  )
  return found === undefined ? '' : shown(found)
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Writes the text of a field into the arguments. An empty text removes the value. */
export function withField(value: unknown, field: FormField, text: string): unknown {
  return withValue(value, field.path, text === '' ? undefined : read(field, text)) ?? {}
}

/** Text that is not of the kind stays text, which the schema then refuses. */
function read({ kind, choices }: FormField, text: string): unknown {
  if (kind === 'text') return text
  if (kind === 'choice') return choices.find((one) => shown(one) === text) ?? text
  if (kind === 'number')
    return /^-?\d+(?:\.\d+)?(?:e[+\-]?\d+)?$/iv.test(text) ? Number(text) : text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function withValue(inside: unknown, [step, ...rest]: Path, value: unknown): unknown {
  if (step === undefined) return value
  if (typeof step === 'number') {
    const items: readonly unknown[] = Array.isArray(inside) ? inside : []
    const item = withValue(items[step], rest, value)
    const next = [
      ...items.slice(0, step),
      ...(item === undefined ? [] : [item]),
      ...items.slice(step + 1),
    ]
    return next.length === 0 ? undefined : next
  }
  const members = isObject(inside) && !Array.isArray(inside) ? inside : {}
  const member = withValue(Object.hasOwn(members, step) ? members[step] : undefined, rest, value)
  const next = Object.entries(members).filter(([name]) => name !== step)
  const place = Object.keys(members).indexOf(step)
  if (member !== undefined) next.splice(place < 0 ? next.length : place, 0, [step, member])
  return next.length === 0 ? undefined : Object.fromEntries(next)
}

/** Returns the next choice of a field, around the end; an optional one can also be empty. */
export function nextChoice({ choices, required }: FormField, text: string, by: 1 | -1): string {
  const texts = choices.map(shown)
  const all = required ? texts : ['', ...texts]
  const at = all.indexOf(text)
  return all.at((at < 0 && by < 0 ? 0 : at + by) % all.length) ?? ''
}

const checkCache = identityMemo<ReturnType<typeof compileSchema>>()

/** Returns the problems of arguments with the schema of their tool. */
export function argumentIssues(schema: JsonSchema, value: unknown): readonly ValueIssue[] {
  const found = checkCache([schema], '', () => compileSchema(schema))(value)
  return found.kind === 'unchecked' ? [found.issue] : valueIssues(found)
}

/** Returns the problem of a field; null when it has none. A format in words replaces its pattern. */
export function fieldIssue(
  { path, format = '' }: FormField,
  issues: readonly ValueIssue[],
): string | null {
  const place = path.map((step) => `/${pointerToken(String(step))}`).join('')
  const message = issues.find((issue) => issue.path === place)?.message ?? null
  const words = FORMATS[format]
  return words !== undefined && message?.startsWith(PATTERN) === true ? `must be ${words}` : message
}

/** Begins the message about a value that does not match the pattern of its schema. */
const PATTERN = 'must match the pattern'

/** The formats that schema libraries write with a pattern. */
const FORMATS: Readonly<Record<string, string>> = {
  email: 'an e-mail address, such as ada@example.org',
  uri: 'an address, such as https://example.org',
  uuid: 'a UUID',
  date: 'a date, such as 2026-01-31',
  time: 'a time, such as 12:30:00',
  'date-time': 'a date with a time, such as 2026-01-31T12:30:00Z',
  duration: 'a duration, such as PT15M',
  ipv4: 'an address of IPv4',
  ipv6: 'an address of IPv6',
}
