import { z } from 'zod'
import { didYouMean, nearestNames } from '../../kernel/nearest-names.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { isObject } from '../../kernel/json-value.ts'
import { FILE_START, type Findings, type Place } from './findings.ts'
import { parseJson } from './parse-json.ts'
import { defineTool } from '../../tools/define-tool.ts'
import type { Tool } from '../../tools/definition/tool.ts'

const text = z.string('must be text').min(1, 'must not be empty')

const texts = z.array(text, 'must be a list of texts')

const flag = z.boolean('must be true or false')

const schema = z.custom<Readonly<Record<string, unknown>>>(isObject, {
  error: 'must be a JSON Schema object',
})

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

type ToolSchemaField = keyof typeof TOOL_SCHEMA_FIELDS

/** What a `schema.json` gave; a field that was wrong is not there. */
export type ToolSchemaValues = {
  -readonly [Field in ToolSchemaField]?: z.output<(typeof TOOL_SCHEMA_FIELDS)[Field]>
}

/** Fields that protect somebody: with a wrong one the tool is not loaded. */
const PROTECTIVE_FIELDS: ReadonlySet<ToolSchemaField> = new Set<ToolSchemaField>([
  'parameters',
  'output',
  'category',
  'sideEffects',
  'requiresConfirmation',
  'allowedModes',
  'risk',
])

/** Other spellings of a field that tools in the wild use. */
const SPELLINGS: ReadonlyMap<string, ToolSchemaField> = new Map([
  ['name', 'toolId'],
  ['inputSchema', 'parameters'],
  ['outputSchema', 'output'],
  ['modes', 'allowedModes'],
])

/**
 * Read the text of a `schema.json` field by field. A wrong field is left out with a warning, or
 * is an error when leaving it out would let the tool do more than was meant.
 */
export function readToolSchema(text: string, findings: Findings): ToolSchemaValues | null {
  const parsed = parseJson(text, findings)
  if (parsed === null) return null
  const values: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(withSchemaAtTop(parsed.value, findings))) {
    if (key === '$schema') continue
    const place = parsed.places.get(key)
    const field = fieldOf(key)
    if (field === undefined) {
      const near = nearestNames(key, Object.keys(TOOL_SCHEMA_FIELDS), 1)
      findings.add(
        'warning',
        'unknown-field',
        `The field "${key}" is not known and has no effect.`,
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
      protective ? 'Correct it: without it the tool could do more than was meant.' : 'Correct it.',
      place,
    )
  }
  return values
}

/** Arguments nobody described are refused unless the schema lets them in, which is worth saying. */
function reportOpen(parameters: unknown, findings: Findings, place: Place | undefined): void {
  const open = (parameters as Readonly<Record<string, unknown>>)['additionalProperties']
  if (open === undefined || open === false) return
  findings.add(
    'info',
    'parameters-open',
    'The parameters let in arguments that they do not describe.',
    'Write "additionalProperties": false, so that an argument the model made up is refused.',
    place,
  )
}

function fieldOf(key: string): ToolSchemaField | undefined {
  return Object.hasOwn(TOOL_SCHEMA_FIELDS, key) ? (key as ToolSchemaField) : SPELLINGS.get(key)
}

/** What a JSON Schema of an object says of it; its `title` and `description` are the tool's. */
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

type Fields = Readonly<Record<string, unknown>>

/**
 * The fields of a `schema.json` whose author wrote the schema of the arguments at the top, as the
 * file's name suggests: with that schema under `parameters`. Any other file is given back as it is.
 *
 * Without this such a tool would load, and refuse every argument.
 */
function withSchemaAtTop(fields: Fields, findings: Findings): Fields {
  const has = (key: string) => Object.hasOwn(fields, key)
  if (has('parameters') || has('inputSchema')) return fields
  if (fields['type'] !== 'object' && typeof fields['properties'] !== 'object') return fields
  findings.add(
    'info',
    'schema-at-top',
    'The schema of the arguments stands at the top of the file; it was read as "parameters".',
    'Put it under "parameters", so that its fields and those of the tool stay apart.',
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

/** Define a tool by what was read of its folder; null, and an error, when it cannot be. */
export function defineFromSchema(
  values: ToolSchemaValues & { readonly toolId: string; readonly description: string },
  summary: string,
  documentation: string,
  findings: Findings,
): Tool | null {
  const { category, sideEffects, extraction, guidance } = values
  const writes = sideEffects === true || sideEffects === 'writes'
  const risk = values.risk ?? (writes && category !== 'action' ? 'moderate' : undefined)
  try {
    return defineTool({
      name: values.toolId,
      description: values.description,
      input: values.parameters ?? { type: 'object', properties: {} },
      ...(values.output && { output: values.output }),
      ...(values.version !== undefined && { version: values.version }),
      ...(category !== undefined && { category }),
      ...(risk !== undefined && { risk }),
      ...(values.topic !== undefined && { topic: values.topic }),
      ...(values.allowedModes && { modes: values.allowedModes }),
      ...(values.phrases && { phrases: values.phrases }),
      ...(values.related && { related: values.related }),
      ...(values.idempotent !== undefined && { idempotent: values.idempotent }),
      ...(values.background !== undefined && { background: values.background }),
      ...(values.requiresConfirmation !== undefined && {
        requiresConfirmation: values.requiresConfirmation,
      }),
      ...(values.latencyBudgetMs !== undefined && { latencyMs: values.latencyBudgetMs }),
      ...(extraction && { extraction: withoutUndefined(extraction) }),
      ...(guidance && { guidance: withoutUndefined(guidance) }),
      ...(summary !== '' && { summary }),
      ...(documentation !== '' && { documentation }),
    })
  } catch (error) {
    if (!WorkspaceError.is(error)) throw error
    findings.add('error', 'tool-invalid', error.message, error.hint)
    return null
  }
}

function withoutUndefined<T extends object>(value: T) {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as {
    [Key in keyof T]: Exclude<T[Key], undefined>
  }
}
