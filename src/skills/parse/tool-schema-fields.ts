import { z } from 'zod'

const text = z.string('must be text').min(1, 'must not be empty')
const texts = z.array(text, 'must be a list of texts')
const flag = z.boolean('must be true or false')
const schema = z.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  { error: 'must be a JSON Schema object' },
)

/**
 * The fields of a tool's `schema.json`. The first eleven are those of the published tools
 * architecture, the rest ours.
 */
export const TOOL_SCHEMA_FIELDS = {
  toolId: text,
  version: text,
  category: z.enum(
    ['retrieval', 'action', 'utility'],
    'must be "retrieval", "action" or "utility"',
  ),
  description: text,
  parameters: schema,
  sideEffects: z.union(
    [flag, z.enum(['none', 'read_only', 'writes'])],
    'must be true or false, or "none", "read_only" or "writes"',
  ),
  idempotent: flag,
  requiresConfirmation: flag,
  allowedModes: texts,
  latencyBudgetMs: z.number('must be a number of milliseconds').positive('must be above zero'),
  output: schema,
  background: flag,
  topic: text,
  risk: z.enum(['safe', 'moderate', 'destructive'], 'must be "safe", "moderate" or "destructive"'),
  phrases: texts,
  related: texts,
  guidance: z.strictObject(
    { before: text.optional(), after: text.optional(), pitfalls: texts.optional() },
    'must give before and after as text, pitfalls as a list',
  ),
  extraction: z.strictObject(
    {
      path: text,
      type: text,
      nameField: text,
      idField: text.optional(),
      isArray: z.boolean().optional(),
    },
    'must give path, type and nameField as text',
  ),
} as const

export type ToolSchemaField = keyof typeof TOOL_SCHEMA_FIELDS

/** What a `schema.json` gave; a field that was wrong is not there. */
export type ToolSchemaValues = {
  -readonly [Field in ToolSchemaField]?: z.output<(typeof TOOL_SCHEMA_FIELDS)[Field]>
}

/** Fields that protect somebody: with a wrong one the tool is not loaded. */
export const PROTECTIVE_FIELDS: ReadonlySet<ToolSchemaField> = new Set<ToolSchemaField>([
  'parameters',
  'output',
  'category',
  'sideEffects',
  'requiresConfirmation',
  'allowedModes',
  'risk',
])
