import valid from 'semver/functions/valid.js'
import * as z from 'zod'
import { contentHash, type ContentHash } from '../../kernel/content-hash.ts'
import { checkParsed, type FieldRules } from '../../kernel/check-fields.ts'
import { canonicalJson } from '../../kernel/canonical-json.ts'
import { deepFreeze, isObject, type JsonSchema, withoutUndefined } from '../../kernel/json-value.ts'
import { tryOrUndefined } from '../../kernel/thrown-message.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { toolName } from './parse-tool-reference.ts'
import type { DefaultField, Tool, ToolDefinition } from './tool.ts'
import {
  readInputSchema,
  readOutputSchema,
  readSchemaAt,
  type UnknownArguments,
} from '../../schema/interpreter/read-schema.ts'
import type { SchemaSource } from '../../schema/interpreter/schema-source.ts'

/** The values of fields that a definition leaves out. */
const AS_CALLED = { category: 'action', risk: 'moderate', idempotent: false } as const

/**
 * The values that hashes and stored definitions have for these fields. They were the defaults once, so the
 * hash of a definition, and a lock with it, stays the same. `byDefault` names those that do not count.
 */
const AS_STORED = { category: 'utility', risk: 'safe', idempotent: true } as const

function pickDefaults<Values extends typeof AS_CALLED | typeof AS_STORED>(
  byDefault: unknown,
  values: Values,
): Partial<Values> {
  const names: readonly unknown[] = Array.isArray(byDefault) ? byDefault : []
  const left = Object.entries(values).filter(([name]) => names.includes(name))
  return Object.fromEntries(left) as Partial<Values>
}

/**
 * Makes a tool: reads its schemas, checks its fields, and hashes its definition. The tool is frozen.
 *
 * Throws `TOOL_INVALID`, which names the field, unless its fields are those of a definition. Definitions also come
 * from files and from callers without types.
 */
export function makeTool({
  fields,
  inputSchema,
  outputSchema,
  functions,
  unknownArguments,
}: {
  /** All fields except the schemas; not yet checked. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly inputSchema: SchemaSource
  readonly outputSchema: SchemaSource | undefined
  readonly functions: Pick<
    Tool,
    | 'execute'
    | 'client'
    | 'extract'
    | 'paths'
    | 'confirms'
    | 'preview'
    | 'timeoutMs'
    | 'resultTokens'
    | 'repairArguments'
    | 'retries'
  >
  /** Unknown arguments are refused unless they are stripped. */
  readonly unknownArguments?: UnknownArguments | undefined
}): Tool {
  const tool = fields['name']
  const byDefault = Object.keys(pickDefaults(fields['byDefault'], AS_CALLED)) as DefaultField[]
  const at = (field: string) => () => `Tool "${String(tool)}", ${field}`
  const input = readSchemaAt(at('inputSchema'), { tool, field: 'inputSchema' }, () =>
    readInputSchema(inputSchema, unknownArguments),
  )
  const output =
    outputSchema === undefined
      ? undefined
      : readSchemaAt(at('outputSchema'), { tool, field: 'outputSchema' }, () =>
          readOutputSchema(outputSchema),
        )
  const unchecked = [...input.unchecked, ...(output?.unchecked ?? [])]
  const given = withoutUndefined({
    ...fields,
    ...pickDefaults(byDefault, AS_STORED),
    inputSchema: input.jsonSchema,
    outputSchema: output?.jsonSchema,
  })
  const checked = definitionSchema.safeParse(given)
  checkParsed(given, checked, TOOL)
  const { annotations, ...definition } = checked.data as ToolDefinition
  return deepFreeze<Tool>({
    ...definition,
    ...pickDefaults(byDefault, AS_CALLED),
    ...(byDefault.length > 0 && { byDefault }),
    ...(annotations && { annotations }),
    hash: contentHash(definition),
    parseInput: input.parse,
    ...(unchecked.length > 0 && { unchecked }),
    ...(output !== undefined && { parseOutput: output.parse }),
    ...functions,
  })
}

const filled = z.string().refine((text) => text.trim() !== '', 'must not be empty')

const jsonSchema = z.custom<JsonSchema>(isObject, 'must be a JSON Schema object')

/** An object of JSON, copied. A member named `__proto__` stays one. */
const jsonObject = z
  .custom<object>(
    (value) => isObject(value) && tryOrUndefined(() => canonicalJson(value)) !== undefined,
    'must be an object of JSON',
  )
  .transform((value): unknown => JSON.parse(JSON.stringify(value)))

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

const OPTIONS_OF_PROVIDERS = 'must have an object for each provider'

/** The annotations of a definition. */
export const toolAnnotations = z.strictObject(
  {
    title: filled.optional(),
    readOnlyHint: z.boolean().optional(),
    destructiveHint: z.boolean().optional(),
    idempotentHint: z.boolean().optional(),
    openWorldHint: z.boolean().optional(),
  },
  'must give title as text, and readOnlyHint, destructiveHint, idempotentHint and openWorldHint as true or false',
)

/** The fields of a definition that its hash covers, in the order in which they are stored. */
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
  polling: z.boolean().optional(),
  latencyMs: z.number().positive().optional(),
  extraction: extraction.optional(),
  inputSchema: jsonSchema,
  outputSchema: jsonSchema.optional(),
  inputExamples: z.array(z.strictObject({ input: jsonObject })).optional(),
  strict: z.boolean().optional(),
  providerOptions: jsonObject
    .refine((options) => Object.values(options as object).every(isObject), OPTIONS_OF_PROVIDERS)
    .optional(),
} satisfies Record<Exclude<keyof ToolDefinition, 'byDefault' | 'annotations'>, z.ZodType>

const definitionSchema = z.object({ ...FIELDS, annotations: toolAnnotations.optional() })

/** The names of the fields that the hash of a definition covers. */
const DEFINITION_FIELDS = Object.keys(FIELDS) as readonly (keyof typeof FIELDS)[]

/** The fields of `defineTool`, and the names that other libraries have for them. */
export const TOOL: FieldRules = {
  kind: 'a tool',
  subject: 'Tool',
  code: 'TOOL_INVALID',
  name: { field: 'name', fact: 'tool' },
  fields: [
    ...DEFINITION_FIELDS,
    'annotations',
    'execute',
    'client',
    'extract',
    'paths',
    'preview',
    'timeoutMs',
    'resultTokens',
    'repairArguments',
    'retries',
    'unknownArguments',
  ],
  synonyms: {
    id: 'name',
    parameters: 'inputSchema',
    args: 'inputSchema',
    arguments: 'inputSchema',
    schema: 'inputSchema',
    input: 'inputSchema',
    output: 'outputSchema',
    returns: 'outputSchema',
    handler: 'execute',
    run: 'execute',
    call: 'execute',
    fn: 'execute',
    func: 'execute',
    invoke: 'execute',
    needsApproval: 'requiresConfirmation',
  },
  hint: 'See ToolDefinition for the values of each field.',
}

/** Returns the JSON part of a tool, which logs and manifests store. */
export function toolDefinition(tool: ToolDefinition): ToolDefinition {
  const { byDefault, annotations } = tool
  return {
    ...hashedDefinition(tool),
    ...(byDefault && { byDefault }),
    ...(annotations && { annotations }),
  }
}

/** Returns the part of a definition that its hash covers. */
function hashedDefinition(tool: ToolDefinition): ToolDefinition {
  const members = DEFINITION_FIELDS.flatMap((field) =>
    tool[field] === undefined ? [] : [[field, tool[field]] as const],
  )
  const definition = Object.fromEntries(members) as unknown as ToolDefinition
  return { ...definition, ...pickDefaults(tool.byDefault, AS_STORED) }
}

/**
 * Makes a tool from its stored definition, with or without a handler (`unbound`).
 *
 * It has the same hash as the stored tool. Its arguments are checked with the JSON Schema alone, because
 * refinements and transforms of a zod schema are code, and code is not stored.
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

/**
 * Makes a tool from a definition that was checked and hashed when it was stored, such as one in a verified
 * manifest. Nothing is checked again, and its schemas are read at the first call. The definition is
 * frozen in place, so the caller must own it.
 */
export function storedTool(
  definition: ToolDefinition & { readonly hash: ContentHash },
  execute?: NonNullable<Tool['execute']>,
): Tool {
  const { inputSchema, outputSchema } = definition
  let input: Tool['parseInput'] | undefined
  let output: NonNullable<Tool['parseOutput']> | undefined
  return deepFreeze<Tool>({
    ...definition,
    ...pickDefaults(definition.byDefault, AS_CALLED),
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

/** Returns the tool with a topic, if it names none. */
export function withTopic(tool: Tool, topic: string | undefined): Tool {
  if (topic === undefined || tool.topic !== undefined) return tool
  const named = { ...tool, topic }
  return deepFreeze<Tool>({ ...named, hash: contentHash(hashedDefinition(named)) })
}

/** Returns true for a value that `defineTool` or `bindTool` made, also those of another copy of this package. */
export function isTool(value: unknown): value is Tool {
  return (
    isObject(value) &&
    typeof value['hash'] === 'string' &&
    typeof value['parseInput'] === 'function'
  )
}

/** Returns true for a tool whose calls are answered: by its handler, or by the client. */
export function isBound(tool: Pick<Tool, 'execute' | 'client'> | undefined): boolean {
  return tool?.execute !== undefined || tool?.client === true
}

/** Throws `TOOL_INVALID` for a value that is not a tool, such as a plain definition. */
export function assertTool(value: unknown): void {
  if (isTool(value)) return
  const name = isObject(value) && typeof value['name'] === 'string' ? value['name'] : ''
  throw new WorkspaceError(
    'TOOL_INVALID',
    `${name === '' ? 'A value' : `"${name}"`} is not a tool.`,
    {
      facts: { tool: name, field: '' },
      hint: 'Make it with defineTool, bindTool or toolsFromAiSdk.',
    },
  )
}
