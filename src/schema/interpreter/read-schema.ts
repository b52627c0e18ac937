import * as z from 'zod'
import { isObject, type JsonSchema } from '../../kernel/json-value.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { checkSchema, copyJson } from './check-schema.ts'
import { closeSchema, closeSchemaTop } from './close-schema.ts'
import { fromZodThree } from './from-zod-three.ts'
import { type UncheckedPattern, uncheckedPatterns } from './compile-pattern.ts'
import { compileSchema, type SchemaCheck } from './compile-schema.ts'
import type {
  AiSdkSchema,
  Parsed,
  SchemaSource,
  StandardIssue,
  StandardSchema,
  ValueIssue,
} from './schema-source.ts'
import { pointerToken, subschemas } from './subschemas.ts'
import { unknownArguments } from './unknown-arguments.ts'
import { limitIssues, valueIssues } from './value-issues.ts'
import { correctZodSchema, isZod } from './correct-zod-schema.ts'

/** A schema in the form that the model reads, and the parser that checks values. */
export interface ReadSchema {
  readonly jsonSchema: JsonSchema
  readonly parse: (value: unknown) => Promise<Parsed<unknown>>
  /** Patterns that nothing checks. A schema with a parser of its own has none. */
  readonly unchecked: readonly UncheckedPattern[]
}

/** Parses with the schema's own rules. Rejects if the host's code in a refinement throws. */
type OwnParser = (value: unknown) => Promise<Parsed<unknown>>

/** The treatment of arguments that a schema does not know. */
export type UnknownArguments = 'refuse' | 'strip'

/**
 * Reads the schema of a tool's arguments. Unknown arguments are refused: see `closeSchemaTop` and
 * `closeSchema` for the objects that are closed.
 *
 * If a schema has its own parser, that parser checks values: values that it coerces or preprocesses are
 * accepted, and its messages are used unchanged. The JSON Schema then only finds arguments that such a
 * parser would silently drop: names that the model did not see, including names that only a
 * preprocessing step reads. Plain JSON Schema is checked completely.
 *
 * With `strip`, a schema's own parser decides alone about unknown arguments, and those that plain JSON Schema does not
 * know are left out. The result lists them.
 */
export function readInputSchema(
  given: SchemaSource,
  treatment: UnknownArguments = 'refuse',
): ReadSchema {
  const source = fromZodThree(given)
  const { schema, unchecked } = toJsonSchema(source, 'input')
  const jsonSchema = closeSchemaTop(asObject(schema))
  const own = ownParser(source)
  if (own === undefined) {
    const plain = plainParser(jsonSchema)
    const parse = treatment === 'strip' ? strippingParser(jsonSchema, plain) : plain
    return { jsonSchema, parse, unchecked }
  }
  const check = lazyCheck(jsonSchema)
  const prepare = namesInherited(jsonSchema) ? bareCopy : (value: unknown) => value
  return {
    jsonSchema,
    unchecked: [],
    parse: async (value) => {
      const found = check(value)
      if (found.kind === 'unchecked') return { ok: false, issues: [found.issue] }
      const parsed = await own(prepare(value))
      const unknown = unknownArguments(found, value, parsed)
      if (treatment === 'strip') return parsed.ok ? withoutUnknown(parsed, unknown) : parsed
      if (parsed.ok && unknown.length === 0) return parsed
      const issues = [...unknown, ...(parsed.ok ? [] : parsed.issues)]
      return { ok: false, issues: limitIssues(issues) }
    },
  }
}

/**
 * Reads the schema of a tool's result. Nothing is closed. If a schema has its own parser, only that parser
 * is used, so the model gets the result with its transformations.
 */
export function readOutputSchema(given: SchemaSource): ReadSchema {
  const source = fromZodThree(given)
  const { schema: jsonSchema, unchecked } = toJsonSchema(source, 'output')
  const own = ownParser(source)
  if (own === undefined) return { jsonSchema, parse: plainParser(jsonSchema), unchecked }
  return { jsonSchema, parse: own, unchecked: [] }
}

/** Reads a schema. An error of it begins with its place, and has the facts of the place. */
export function readSchemaAt(
  place: () => string,
  where: Readonly<Record<string, unknown>>,
  read: () => ReadSchema,
): ReadSchema {
  try {
    return read()
  } catch (cause) {
    if (!WorkspaceError.is(cause)) throw cause
    const { code, message, hint } = cause
    const facts = { ...cause.facts, ...where }
    throw new WorkspaceError(code, `${place()}: ${message}`, { facts, hint, cause })
  }
}

/** Reads the schema of a result that nothing checks, for readers alone. Leaves out what JSON Schema cannot express. */
export function readShownSchema(given: SchemaSource): {
  /** Absent if JSON Schema can express nothing of it. */
  readonly jsonSchema?: JsonSchema
  /** The reason for which something is left out; absent if nothing is. */
  readonly lost?: string
} {
  const source = fromZodThree(given)
  try {
    return { jsonSchema: toJsonSchema(source, 'output').schema }
  } catch (problem) {
    if (!WorkspaceError.is(problem)) throw problem
    const lost = problem.message
    if (!isStandardSchema(source) || !isZod(source)) return { lost }
    const target = 'draft-2020-12'
    const options = { io: 'output', target, unrepresentable: 'any', metadata } as const
    const { $schema: _, ...jsonSchema } = copyJson(z.toJSONSchema(source, options))
    return { jsonSchema, lost }
  }
}

/** The descriptions of schemas. The zod of an application, before version 4.1, shares its own with no other copy of zod. */
const metadata = {
  get: (schema: z.core.$ZodType) =>
    z.globalRegistry.get(schema) ??
    ('meta' in schema ? (schema as unknown as z.ZodType).meta() : undefined),
} as typeof z.globalRegistry

function toJsonSchema(
  source: SchemaSource,
  direction: 'input' | 'output',
): { readonly schema: JsonSchema; readonly unchecked: readonly UncheckedPattern[] } {
  if (isStandardSchema(source)) {
    const generated = copyJson(generate(source, direction))
    checkSchema(generated)
    const { $schema: _, ...rest } = generated
    const schema = isZod(source) ? correctZodSchema(rest, source) : rest
    return { schema: direction === 'input' ? closeSchema(schema) : schema, unchecked: [] }
  }
  const plain = isAiSdkSchema(source) ? source.jsonSchema : source
  if (!isObject(plain) || plain instanceof Promise) {
    throw new WorkspaceError('SCHEMA_UNSUPPORTED', 'This is not a supported schema.', {
      hint: 'Use a schema of zod 3 or 4, a Standard Schema that provides JSON Schema, or a JSON Schema object. Await a promise of a schema first.',
    })
  }
  const schema = copyJson(plain)
  const places = checkSchema(schema)
  return { schema, unchecked: uncheckedPatterns(places.values()) }
}

function isStandardSchema(source: object): source is StandardSchema {
  return hasKey(source, '~standard')
}

function isAiSdkSchema(source: object): source is AiSdkSchema {
  return hasKey(source, Symbol.for('vercel.ai.schema'))
}

/** In JavaScript a source may be any value; some libraries make schemas that are functions. */
function hasKey(source: unknown, key: PropertyKey): boolean {
  return Object(source) === source && key in Object(source)
}

function generate(schema: StandardSchema, direction: 'input' | 'output'): object {
  const { jsonSchema, vendor } = schema['~standard']
  const target = 'draft-2020-12'
  try {
    if (jsonSchema !== undefined) return jsonSchema[direction]({ target })
    if (isZod(schema)) return z.toJSONSchema(schema, { io: direction, target, metadata })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new WorkspaceError('SCHEMA_UNSUPPORTED', `JSON Schema cannot express this: ${reason}`, {
      facts: { vendor },
      hint: 'A model sends JSON. Describe the JSON that it sends, such as z.iso.datetime(), and transform it.',
      cause,
    })
  }
  throw new WorkspaceError(
    'SCHEMA_UNSUPPORTED',
    `This ${vendor} schema does not provide JSON Schema.`,
    {
      facts: { vendor },
      hint: 'Use zod 4, or a Standard Schema with a "jsonSchema" member; some libraries need an adapter.',
    },
  )
}

/** Ensures that a schema is of an object: arguments are named values, and providers require `type` at the top. */
function asObject(schema: JsonSchema): JsonSchema {
  const { type } = schema
  const types = type === undefined ? ['object'] : [type].flat()
  if (types.includes('object')) return { ...schema, type: 'object' }
  throw new WorkspaceError(
    'SCHEMA_INVALID',
    `This schema must describe an object, not ${types.join(' or ')}.`,
    {
      facts: { type },
      hint: 'Name the value: z.object({ text: z.string() }).',
    },
  )
}

/** Returns the parser of a schema; undefined for plain JSON Schema. */
function ownParser(source: SchemaSource): OwnParser | undefined {
  if (isStandardSchema(source)) {
    return async (value) => {
      const result = await source['~standard'].validate(value)
      if (result.issues === undefined) return { ok: true, value: result.value }
      return { ok: false, issues: result.issues.flatMap(unionIssues).map(readIssue) }
    }
  }
  const validate = isAiSdkSchema(source) ? source.validate : undefined
  if (validate === undefined) return undefined
  return async (value) => {
    const result = await validate(value)
    if (result.success) return { ok: true, value: result.value }
    return { ok: false, issues: [{ path: '', message: shorten(result.error.message) }] }
  }
}

/** Characters of a message from another library. Some messages contain the complete value. */
const MESSAGE_LIMIT = 500

function readIssue({ message, path = [] }: StandardIssue): ValueIssue {
  const keys = path.map((step) => (typeof step === 'object' ? step.key : step))
  return {
    path: keys.map((key) => `/${pointerToken(String(key))}`).join(''),
    message: shorten(message),
  }
}

function shorten(message: string): string {
  return message.length > MESSAGE_LIMIT ? `${message.slice(0, MESSAGE_LIMIT)}…` : message
}

/** The default message of zod for a union. */
const DEFAULT_MESSAGE = 'Invalid input'

/**
 * Replaces the default message of a zod union by the issues of the branch that accepts the value's type,
 * with the fewest issues if several do. If none does, it lists the messages of all branches. Other
 * issues are returned unchanged.
 */
function unionIssues(issue: StandardIssue): readonly StandardIssue[] {
  if (!isDefaultUnion(issue)) return [issue]
  const { errors, path = [] } = issue
  const inside = errors.filter((branch) => branch.every((one) => (one.path?.length ?? 0) > 0))
  const [meant] = inside.toSorted((a, b) => a.length - b.length)
  if (meant === undefined) {
    const messages = new Set(errors.flat().map(({ message }) => message))
    return [{ path, message: [...messages].join(', or ') || DEFAULT_MESSAGE }]
  }
  return meant.flatMap((one) => unionIssues({ ...one, path: [...path, ...(one.path ?? [])] }))
}

function isDefaultUnion(
  issue: StandardIssue,
): issue is StandardIssue & { readonly errors: readonly (readonly StandardIssue[])[] } {
  return issue.message === DEFAULT_MESSAGE && 'errors' in issue && Array.isArray(issue.errors)
}

function plainParser(jsonSchema: JsonSchema): OwnParser {
  const check = lazyCheck(jsonSchema)
  return async (value) => {
    const found = check(value)
    const issues = found.kind === 'unchecked' ? [found.issue] : valueIssues(found)
    return issues.length > 0 ? { ok: false, issues } : { ok: true, value }
  }
}

/** Leaves out the arguments that a schema does not know, and checks the others. */
function strippingParser(jsonSchema: JsonSchema, parse: OwnParser): OwnParser {
  const check = lazyCheck(jsonSchema)
  return async (value) => {
    const found = check(value)
    const unknown = found.kind === 'unchecked' ? [] : unknownArguments(found, value, NO_PARSER)
    if (unknown.length === 0) return parse(value)
    const parsed = await parse(withoutPlaces(value, new Set(unknown.map(({ path }) => path))))
    return parsed.ok ? withoutUnknown(parsed, unknown) : parsed
  }
}

const NO_PARSER: Parsed<unknown> = { ok: false, issues: [] }

function withoutUnknown(
  parsed: Extract<Parsed<unknown>, { ok: true }>,
  unknown: readonly ValueIssue[],
): Parsed<unknown> {
  return unknown.length === 0 ? parsed : { ...parsed, leftOut: unknown.map(({ path }) => path) }
}

/** Copies a JSON value without the members at some places. */
function withoutPlaces(value: unknown, places: ReadonlySet<string>, at = ''): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    return value.map((item, index) => withoutPlaces(item, places, `${at}/${index}`))
  }
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const place = `${at}/${pointerToken(name)}`
      return places.has(place) ? [] : [[name, withoutPlaces(member, places, place)]]
    }),
  )
}

/** Compiles the check of a schema for the first value. */
function lazyCheck(jsonSchema: JsonSchema): SchemaCheck {
  let check: SchemaCheck | undefined
  return (value) => (check ??= compileSchema(jsonSchema))(value)
}

/**
 * Returns true if a schema names a property that every object inherits, such as `constructor`. Schema
 * libraries read such an absent property as the inherited function, so they get a `bareCopy`.
 */
function namesInherited(schema: JsonSchema): boolean {
  const { properties } = schema
  const own = isObject(properties) ? Object.keys(properties) : []
  return (
    own.some((name) => name in Object.prototype) ||
    subschemas(schema).some((child) => namesInherited(child.schema))
  )
}

/** Copies a JSON value to objects without a prototype. */
function bareCopy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(bareCopy)
  const bare: object = Object.create(null)
  for (const [name, member] of Object.entries(value)) {
    Object.defineProperty(bare, name, {
      value: bareCopy(member),
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
  return bare
}
