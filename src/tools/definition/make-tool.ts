import valid from 'semver/functions/valid.js'
import { z } from 'zod'
import { contentHash, type ContentHash } from '../../kernel/content-hash.ts'
import { deepFreeze, isObject, type JsonSchema } from '../../kernel/json-value.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { toolName } from './parse-tool-reference.ts'
import type { Tool, ToolDefinition } from './tool.ts'
import { readInputSchema, readOutputSchema, type ReadSchema } from '../schema/read-schema.ts'
import type { SchemaSource } from '../schema/schema-source.ts'

/** What a tool is made of: its fields, the sources of its schemas, and its functions. */
interface ToolParts {
  /** All but the schemas; looked at one by one. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly inputSchema: SchemaSource
  readonly outputSchema: SchemaSource | undefined
  readonly functions: Pick<Tool, 'execute' | 'extract' | 'timeoutMs' | 'retries'>
}

/** Check the parts, read the schemas, hash the definition; the tool is frozen throughout. */
export function makeTool({ fields, inputSchema, outputSchema, functions }: ToolParts): Tool {
  const tool = fields['name']
  const input = blame(tool, 'inputSchema', () => readInputSchema(inputSchema))
  const output =
    outputSchema === undefined
      ? undefined
      : blame(tool, 'outputSchema', () => readOutputSchema(outputSchema))
  const definition = checkDefinition({
    ...fields,
    inputSchema: input.jsonSchema,
    outputSchema: output?.jsonSchema,
  })
  return deepFreeze<Tool>({
    ...definition,
    hash: contentHash(definition),
    parseInput: input.parse,
    ...(output !== undefined && { parseOutput: output.parse }),
    ...functions,
  })
}

/** The error of a schema, with the tool and the field it belongs to. */
function blame(
  tool: unknown,
  field: 'inputSchema' | 'outputSchema',
  read: () => ReadSchema,
): ReadSchema {
  try {
    return read()
  } catch (cause) {
    if (!WorkspaceError.is(cause)) throw cause
    const { code, message, facts, hint } = cause
    throw new WorkspaceError(code, `Tool "${String(tool)}", ${field}: ${message}`, {
      facts: { ...facts, tool, field },
      hint,
      cause,
    })
  }
}

const filled = z.string().refine((text) => text.trim() !== '', 'must not be empty')

const jsonSchema = z.custom<JsonSchema>(isObject, 'must be a JSON Schema object')

const extraction = z.strictObject({
  path: filled,
  type: filled,
  nameField: filled,
  idField: filled.optional(),
  isArray: z.boolean().optional(),
})

const guidance = z.strictObject({
  before: filled.optional(),
  after: filled.optional(),
  pitfalls: z.array(filled).optional(),
})

/** The fields of a definition in the order they are kept; the schemas were read before. */
const FIELDS = {
  name: toolName,
  description: filled,
  version: z
    .string()
    .refine(
      (version) => valid(version) === version.split('+', 1)[0],
      'must be a semantic version such as 1.0.0',
    ),
  category: z.enum(['retrieval', 'action', 'utility']),
  topic: filled.optional(),
  risk: z.enum(['safe', 'moderate', 'destructive']),
  modes: z.array(filled).min(1).optional(),
  phrases: z.array(filled),
  related: z.array(toolName),
  summary: filled,
  documentation: z.string().optional(),
  guidance: guidance.optional(),
  requiresConfirmation: z.boolean(),
  idempotent: z.boolean(),
  background: z.boolean().optional(),
  latencyMs: z.number().positive().optional(),
  extraction: extraction.optional(),
  inputSchema: jsonSchema,
  outputSchema: jsonSchema.optional(),
} satisfies Record<keyof ToolDefinition, z.ZodType>

const definition = z.strictObject(FIELDS)

/** Names of the fields that a definition's hash covers. */
const DEFINITION_FIELDS = Object.keys(FIELDS) as readonly (keyof ToolDefinition)[]

/**
 * Throw `TOOL_INVALID`, which names the field, unless these are the fields of a definition.
 * Checked at run time too, since definitions also come from files and untyped callers.
 */
function checkDefinition(fields: Readonly<Record<string, unknown>>): ToolDefinition {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined)
  const result = definition.safeParse(Object.fromEntries(present))
  if (result.success) return result.data as ToolDefinition
  const [issue] = result.error.issues
  const field = issue?.path.join('.') ?? ''
  const place = field === '' ? '' : `, field "${field}"`
  const tool = fields['name']
  const what =
    issue?.code === 'unrecognized_keys'
      ? `a tool has no field "${issue.keys.join('", "')}"`
      : issue?.message
  throw new WorkspaceError('TOOL_INVALID', `Tool "${String(tool)}"${place}: ${what}.`, {
    facts: { tool, field },
    hint: 'The fields are those of ToolDefinition, and execute, extract, timeoutMs and retries.',
  })
}

/** The JSON part of a tool: what its hash covers, and what logs and manifests store. */
export function toolDefinition(tool: ToolDefinition): ToolDefinition {
  const members = DEFINITION_FIELDS.flatMap((field) =>
    tool[field] === undefined ? [] : [[field, tool[field]] as const],
  )
  return Object.fromEntries(members) as unknown as ToolDefinition
}

/**
 * A tool from its stored definition, with a handler or without (`unbound`).
 *
 * It has the hash of the tool it was stored from. Its arguments are held to the JSON Schema
 * alone: refinements and transforms of a zod schema are code, and code is not stored.
 */
export function bindTool(definition: ToolDefinition, execute?: NonNullable<Tool['execute']>): Tool {
  const { inputSchema, outputSchema, ...fields } = toolDefinition(definition)
  return makeTool({
    fields,
    inputSchema,
    outputSchema,
    functions: execute === undefined ? {} : { execute },
  })
}

/** A definition with the hash it was stored under. */
interface StoredDefinition extends ToolDefinition {
  readonly hash: ContentHash
}

/**
 * `bindTool` for a definition that was checked and hashed when it was stored, such as one of a
 * verified manifest: nothing is looked at again, and its schemas are read at the first call. It is
 * frozen in place, so it must be the caller's to give away.
 */
export function storedTool(
  definition: StoredDefinition,
  execute?: NonNullable<Tool['execute']>,
): Tool {
  const { inputSchema, outputSchema } = definition
  let input: Tool['parseInput'] | undefined
  let output: NonNullable<Tool['parseOutput']> | undefined
  return deepFreeze<Tool>({
    ...definition,
    parseInput(value) {
      input ??= readInputSchema(inputSchema).parse
      return input(value)
    },
    ...(outputSchema !== undefined && {
      parseOutput(value: unknown) {
        output ??= readOutputSchema(outputSchema).parse
        return output(value)
      },
    }),
    ...(execute !== undefined && { execute }),
  })
}
