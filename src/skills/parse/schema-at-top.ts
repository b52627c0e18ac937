import { FILE_START, type Findings } from './findings.ts'

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
export function withSchemaAtTop(fields: Fields, findings: Findings): Fields {
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
