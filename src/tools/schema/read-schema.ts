import { z } from 'zod'
import type { $ZodType } from 'zod/v4/core'
import type { JsonSchema } from '../../kernel/json.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { Parsed } from '../definition/tool.ts'
import { bareCopy, namesInherited } from './bare-copy.ts'
import { checkSchema } from './check-schema.ts'
import { closeEverywhere, closeTop } from './close-schema.ts'
import type { SchemaCheck } from './compile-schema.ts'
import { copyJson } from './copy-json.ts'
import { limitIssues } from './limit-issues.ts'
import { ownParser, type OwnParser } from './own-parser.ts'
import type { AiSdkSchema, SchemaSource, StandardSchema } from './schema-source.ts'
import { isSchemaObject } from './subschemas.ts'
import { unknownArguments } from './unknown-arguments.ts'
import { valueIssues } from './value-issues.ts'
import { withoutSafeBounds } from './without-safe-bounds.ts'

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
  const jsonSchema = closeTop(asObject(toJsonSchema(source, 'input')))
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
    return direction === 'input' ? closeEverywhere(schema) : schema
  }
  const plain = isAiSdkSchema(source) ? source.jsonSchema : source
  if (!isSchemaObject(plain) || plain instanceof Promise) {
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
