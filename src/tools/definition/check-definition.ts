import valid from 'semver/functions/valid.js'
import { z } from 'zod'
import type { JsonSchema } from '../../kernel/json.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { isSchemaObject } from '../schema/subschemas.ts'
import type { ToolDefinition } from './tool.ts'
import { toolName } from './tool-name.ts'

const filled = z.string().refine((text) => text.trim() !== '', 'must not be empty')
const jsonSchema = z.custom<JsonSchema>(isSchemaObject, 'must be a JSON Schema object')

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
export const DEFINITION_FIELDS = Object.keys(FIELDS) as readonly (keyof ToolDefinition)[]

/**
 * Throw `TOOL_INVALID`, which names the field, unless these are the fields of a definition.
 * Checked at run time too, since definitions also come from files and untyped callers.
 */
export function checkDefinition(fields: Readonly<Record<string, unknown>>): ToolDefinition {
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
    hint: 'Beside input, output, run, extract, timeoutMs and retries, the fields are those of ToolDefinition.',
  })
}
