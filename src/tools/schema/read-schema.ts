import { z } from 'zod'
import type { $ZodType } from 'zod/v4/core'
import { isObject, type JsonSchema } from '../../kernel/json-value.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { checkSchema, copyJson } from './check-schema.ts'
import { closeSchema, closeSchemaTop } from './close-schema.ts'
import type { SchemaCheck } from './compile-schema.ts'
import type {
  AiSdkSchema,
  Parsed,
  SchemaSource,
  StandardIssue,
  StandardSchema,
  ValueIssue,
} from './schema-source.ts'
import { mapSubschemas, pointerToken, subschemas } from './subschemas.ts'
import { unknownArguments } from './unknown-arguments.ts'
import { limitIssues, valueIssues } from './value-issues.ts'

/** A schema as the model is told it, and the parser that holds a value to it. */
export interface ReadSchema {
  readonly jsonSchema: JsonSchema
  readonly parse: (value: unknown) => Promise<Parsed<unknown>>
}

/**
 * Read the schema of a tool's arguments. Unknown arguments are refused: see `closeTop` and
 * `closeEverywhere` for which objects are closed.
 *
 * A schema that brings a parser is the judge of values: what it coerces or preprocesses is
 * accepted, and its messages are told as their author wrote them. The JSON Schema then finds only
 * what such a parser drops in silence, arguments that the model was not told of; that holds for
 * the names a preprocessing step would read too. Plain JSON Schema is held to in full.
 */
export function readInputSchema(source: SchemaSource): ReadSchema {
  const jsonSchema = closeSchemaTop(asObject(toJsonSchema(source, 'input')))
  const own = ownParser(source)
  if (own === undefined) return { jsonSchema, parse: plainParser(jsonSchema) }
  const check = lazyCheck(jsonSchema)
  const seen = namesInherited(jsonSchema) ? bareCopy : (value: unknown) => value
  return {
    jsonSchema,
    parse: async (value) => {
      const found = await check(value)
      if (found.kind === 'unchecked') return { ok: false, issues: [found.issue] }
      const parsed = await own(seen(value))
      const unknown = unknownArguments(found, value, parsed)
      if (parsed.ok && unknown.length === 0) return parsed
      const issues = [...unknown, ...(parsed.ok ? [] : parsed.issues)]
      return { ok: false, issues: limitIssues(issues) }
    },
  }
}

/**
 * Read the schema of a tool's result: nothing is closed, and a schema with a parser of its own
 * decides by itself, so that what it strips or transforms is what the model gets.
 */
export function readOutputSchema(source: SchemaSource): ReadSchema {
  const jsonSchema = toJsonSchema(source, 'output')
  return { jsonSchema, parse: ownParser(source) ?? plainParser(jsonSchema) }
}

function plainParser(jsonSchema: JsonSchema): OwnParser {
  const check = lazyCheck(jsonSchema)
  return async (value) => {
    const found = await check(value)
    const issues = found.kind === 'unchecked' ? [found.issue] : valueIssues(found)
    return issues.length > 0 ? { ok: false, issues } : { ok: true, value }
  }
}

/** The validator and its library are loaded when the first value is there. */
function lazyCheck(jsonSchema: JsonSchema): (value: unknown) => Promise<ReturnType<SchemaCheck>> {
  let check: SchemaCheck | undefined
  return async (value) => {
    check ??= (await import('./compile-schema.ts')).compileSchema(jsonSchema)
    return check(value)
  }
}

function toJsonSchema(source: SchemaSource, direction: 'input' | 'output'): JsonSchema {
  if (isStandardSchema(source)) {
    const generated = copyJson(generate(source, direction))
    checkSchema(generated)
    const { $schema: _, ...told } = generated
    const schema = source['~standard'].vendor === 'zod' ? withoutSafeBounds(told) : told
    return direction === 'input' ? closeSchema(schema) : schema
  }
  const plain = isAiSdkSchema(source) ? source.jsonSchema : source
  if (!isObject(plain) || plain instanceof Promise) {
    throw new WorkspaceError('SCHEMA_UNSUPPORTED', 'This is not a schema a tool can have.', {
      hint: 'Give a zod 4 schema, a Standard Schema that gives JSON Schema, or a JSON Schema object; await one that is a promise.',
    })
  }
  const schema = copyJson(plain)
  checkSchema(schema)
  return schema
}

function generate(schema: StandardSchema, direction: 'input' | 'output'): object {
  const { jsonSchema, vendor } = schema['~standard']
  const target = 'draft-2020-12'
  try {
    if (jsonSchema !== undefined) return jsonSchema[direction]({ target })
    if ('_zod' in schema)
      return z.toJSONSchema(schema as unknown as $ZodType, { io: direction, target })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new WorkspaceError('SCHEMA_UNSUPPORTED', `JSON Schema cannot say this: ${reason}`, {
      facts: { vendor },
      hint: 'A model sends JSON. Describe what it sends, such as z.iso.datetime(), and transform that.',
      cause,
    })
  }
  throw new WorkspaceError('SCHEMA_UNSUPPORTED', `This ${vendor} schema gives no JSON Schema.`, {
    facts: { vendor },
    hint: 'Use zod 4, or a Standard Schema with a "jsonSchema" member; some libraries need an adapter.',
  })
}

/** Arguments are always an object of named values, and providers want to read so at the top. */
function asObject(schema: JsonSchema): JsonSchema {
  const { type } = schema
  const types = type === undefined ? ['object'] : [type].flat()
  if (types.includes('object')) return { ...schema, type: 'object' }
  throw new WorkspaceError(
    'SCHEMA_INVALID',
    `This schema has to be one of an object, not of ${types.join(' or ')}.`,
    {
      facts: { type },
      hint: 'Name the value: z.object({ text: z.string() }).',
    },
  )
}

function isStandardSchema(source: object): source is StandardSchema {
  return '~standard' in source
}

function isAiSdkSchema(source: object): source is AiSdkSchema {
  return Symbol.for('vercel.ai.schema') in source
}

/** Parses by the schema's own rules. Rejects when a refinement of the host's code throws. */
type OwnParser = (value: unknown) => Promise<Parsed<unknown>>

/** Characters of a message that another library wrote; some put the whole value into it. */
const MESSAGE_LIMIT = 500

/** The parser a schema brings along; a plain JSON Schema brings none. */
function ownParser(source: SchemaSource): OwnParser | undefined {
  if ('~standard' in source) return standardParser(source as StandardSchema)
  if (Symbol.for('vercel.ai.schema') in source) return aiSdkParser(source as AiSdkSchema)
  return undefined
}

function standardParser(schema: StandardSchema): OwnParser {
  return async (value) => {
    const result = await schema['~standard'].validate(value)
    if (result.issues === undefined) return { ok: true, value: result.value }
    return { ok: false, issues: result.issues.flatMap(unionIssues).map(readIssue) }
  }
}

function aiSdkParser({ validate }: AiSdkSchema): OwnParser | undefined {
  if (validate === undefined) return undefined
  return async (value) => {
    const result = await validate(value)
    if (result.success) return { ok: true, value: result.value }
    return { ok: false, issues: [{ path: '', message: shorten(result.error.message) }] }
  }
}

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

/** What zod says of a union unless its author, or another language, says something else. */
const BARE = 'Invalid input'

interface UnionIssue extends StandardIssue {
  readonly errors: readonly (readonly StandardIssue[])[]
}

/**
 * The issues behind a zod union's bare "Invalid input": those of the branch that got past the
 * value's type, the one with the fewest when several did, else what each branch expected.
 * Every other issue stays as it is.
 */
function unionIssues(issue: StandardIssue): readonly StandardIssue[] {
  if (!isBareUnion(issue)) return [issue]
  const { errors, path = [] } = issue
  const inside = errors.filter((branch) => branch.every((one) => (one.path?.length ?? 0) > 0))
  const [meant] = inside.toSorted((a, b) => a.length - b.length)
  if (meant === undefined) {
    const messages = new Set(errors.flat().map(({ message }) => message))
    return [{ path, message: [...messages].join(', or ') || BARE }]
  }
  return meant.flatMap((one) => unionIssues({ ...one, path: [...path, ...(one.path ?? [])] }))
}

function isBareUnion(issue: StandardIssue): issue is UnionIssue {
  return issue.message === BARE && 'errors' in issue && Array.isArray(issue.errors)
}

/**
 * True when a schema names a property that every object inherits, such as `constructor`.
 * Schema libraries read an absent one as the inherited function; give them a `bareCopy`.
 */
function namesInherited(schema: JsonSchema): boolean {
  const { properties } = schema
  const own = isObject(properties) ? Object.keys(properties) : []
  return (
    own.some((name) => name in Object.prototype) ||
    subschemas(schema).some((child) => namesInherited(child.schema))
  )
}

/** A copy of a JSON value whose objects inherit nothing. */
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

/**
 * A schema of zod without the bounds of safe integers, which `z.int()` puts on every integer. A model
 * pays for their digits in each request and never comes near them; the parser holds values to them
 * all the same.
 */
function withoutSafeBounds(schema: JsonSchema): JsonSchema {
  const inner = mapSubschemas(schema, withoutSafeBounds)
  const { minimum, maximum, ...rest } = inner
  const isBelow = minimum === Number.MIN_SAFE_INTEGER
  const isAbove = maximum === Number.MAX_SAFE_INTEGER
  if (inner['type'] !== 'integer' || !(isBelow || isAbove)) return inner
  return {
    ...rest,
    ...(minimum !== undefined && !isBelow && { minimum }),
    ...(maximum !== undefined && !isAbove && { maximum }),
  }
}
