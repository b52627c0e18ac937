import * as z from 'zod'
import { didYouMean, nearestNames } from '../../kernel/nearest-names.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { isObject, withoutUndefined } from '../../kernel/json-value.ts'
import { FILE_START, type Findings, type Place } from './findings.ts'
import { parseJson } from './parse-json.ts'
import { toolAnnotations } from '../../tools/definition/make-tool.ts'
import { defineTool } from '../../tools/define-tool.ts'
import type { Tool } from '../../tools/definition/tool.ts'

const text = z.string('must be text').min(1, 'must not be empty')

const texts = z.array(text, 'must be a list of texts')

const flag = z.boolean('must be true or false')

const schema = z.custom<Readonly<Record<string, unknown>>>(isObject, {
  error: 'must be a JSON Schema object',
})

/**
 * The fields of a tool's `schema.json`. The first eleven are from the published tools architecture, the
 * others are ours.
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
  polling: flag,
  strict: flag,
  inputExamples: z.array(
    z.strictObject({ input: z.record(z.string(), z.json()) }),
    'must be a list of { "input": { … } }',
  ),
  providerOptions: z.record(
    z.string(),
    z.record(z.string(), z.json()),
    'must have an object for each provider',
  ),
  annotations: toolAnnotations,
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

type ToolSchemaField = keyof typeof TOOL_SCHEMA_FIELDS

/** The values of a `schema.json`, without fields that were wrong. */
export type ToolSchemaValues = {
  -readonly [Field in ToolSchemaField]?: z.output<(typeof TOOL_SCHEMA_FIELDS)[Field]>
}

/** Fields that restrict a tool. If one of them is wrong, the tool is not loaded. */
const PROTECTIVE_FIELDS: ReadonlySet<ToolSchemaField> = new Set<ToolSchemaField>([
  'parameters',
  'output',
  'category',
  'sideEffects',
  'requiresConfirmation',
  'allowedModes',
  'risk',
])

/** Other names of fields that existing tools use. */
const SPELLINGS: ReadonlyMap<string, ToolSchemaField> = new Map([
  ['name', 'toolId'],
  ['inputSchema', 'parameters'],
  ['outputSchema', 'output'],
  ['modes', 'allowedModes'],
])

/**
 * Reads the text of a `schema.json` field by field. A wrong field is left out with a warning. It is an
 * error if the tool could do more than intended without the field.
 */
export function readToolSchema(text: string, findings: Findings): ToolSchemaValues | null {
  const parsed = parseJson(text, findings)
  if (parsed === null) return null
  const values: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(withSchemaAtTop(parsed.value, findings))) {
    if (key === '$schema') continue
    const place = parsed.places.get(key)
    const field = Object.hasOwn(TOOL_SCHEMA_FIELDS, key)
      ? (key as ToolSchemaField)
      : SPELLINGS.get(key)
    if (field === undefined) {
      const near = nearestNames(key, Object.keys(TOOL_SCHEMA_FIELDS), 1)
      findings.add(
        'warning',
        'unknown-field',
        `The field "${key}" is unknown and has no effect.`,
        didYouMean(near, 'Remove it.'),
        place,
      )
      continue
    }
    const checked = TOOL_SCHEMA_FIELDS[field].safeParse(value)
    if (checked.success) {
      values[field] = checked.data
      if (field === 'parameters') reportOpen(value, findings, place)
      continue
    }
    const protective = PROTECTIVE_FIELDS.has(field)
    findings.add(
      protective ? 'error' : 'warning',
      'field-kind',
      `The field "${key}" ${checked.error.issues[0]?.message ?? 'is wrong'}${
        protective ? '' : '; it has no effect'
      }.`,
      protective ? 'Correct it: without it, the tool could do more than intended.' : 'Correct it.',
      place,
    )
  }
  return values
}

type Fields = Readonly<Record<string, unknown>>

/** Keywords of a JSON Schema of an object. `title` and `description` belong to the tool. */
const KEYWORDS = [
  '$schema',
  '$defs',
  '$ref',
  'definitions',
  'type',
  'properties',
  'required',
  'additionalProperties',
  'patternProperties',
  'propertyNames',
  'unevaluatedProperties',
  'minProperties',
  'maxProperties',
  'dependentRequired',
  'dependentSchemas',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
] as const

/**
 * Moves a schema of arguments at the top of a `schema.json`, where the file's name suggests to write it,
 * under `parameters`. Other files are returned unchanged.
 *
 * Otherwise such a tool would load and then refuse every argument.
 */
function withSchemaAtTop(fields: Fields, findings: Findings): Fields {
  const has = (key: string) => Object.hasOwn(fields, key)
  if (has('parameters') || has('inputSchema')) return fields
  if (fields['type'] !== 'object' && typeof fields['properties'] !== 'object') return fields
  findings.add(
    'info',
    'schema-at-top',
    'The schema of the arguments is at the top of the file; it was read as "parameters".',
    'Move it under "parameters", to keep it separate from the fields of the tool.',
    FILE_START,
  )
  const keywords = new Set<string>(KEYWORDS)
  const split = Object.groupBy(Object.entries(fields), ([key]) =>
    keywords.has(key) ? 'schema' : 'tool',
  )
  return {
    ...Object.fromEntries(split.tool ?? []),
    parameters: Object.fromEntries(split.schema ?? []),
  }
}

/** Reports a schema that accepts arguments it does not describe. By default they are refused. */
function reportOpen(parameters: unknown, findings: Findings, place: Place | undefined): void {
  const open = (parameters as Readonly<Record<string, unknown>>)['additionalProperties']
  if (open === undefined || open === false) return
  findings.add(
    'info',
    'parameters-open',
    'The parameters accept arguments that they do not describe.',
    'Write "additionalProperties": false, so that arguments that the model invents are refused.',
    place,
  )
}

/** Defines a tool from its folder. Returns null and reports an error if it cannot be defined. */
export function defineFromSchema(
  values: ToolSchemaValues & { readonly toolId: string; readonly description: string },
  summary: string,
  documentation: string,
  findings: Findings,
): Tool | null {
  const {
    toolId: name,
    parameters: inputSchema = { type: 'object', properties: {} },
    output: outputSchema,
    allowedModes: modes,
    latencyBudgetMs: latencyMs,
    sideEffects,
    annotations,
    extraction,
    guidance,
    ...fields
  } = values
  const writes = sideEffects === true || sideEffects === 'writes'
  const risk = fields.risk ?? (writes && fields.category !== 'action' ? 'moderate' : undefined)
  try {
    return defineTool({
      ...fields,
      name,
      inputSchema,
      ...(outputSchema && { outputSchema }),
      ...(risk !== undefined && { risk }),
      ...(modes && { modes }),
      ...(annotations && { annotations: withoutUndefined(annotations) }),
      ...(latencyMs !== undefined && { latencyMs }),
      ...(extraction && { extraction: withoutUndefined(extraction) }),
      ...(guidance && { guidance: withoutUndefined(guidance) }),
      ...(summary !== '' && { summary }),
      ...(documentation !== '' && { documentation }),
    })
  } catch (error) {
    if (!WorkspaceError.is(error)) throw error
    return findings.refuse('tool-invalid', error.message, error.hint)
  }
}
