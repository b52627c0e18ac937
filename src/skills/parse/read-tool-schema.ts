import { didYouMean } from '../../kernel/did-you-mean.ts'
import { nearestNames } from '../../kernel/nearest-names.ts'
import type { Findings, Place } from './findings.ts'
import { parseJson } from './parse-json.ts'
import { withSchemaAtTop } from './schema-at-top.ts'
import {
  PROTECTIVE_FIELDS,
  TOOL_SCHEMA_FIELDS,
  type ToolSchemaField,
  type ToolSchemaValues,
} from './tool-schema-fields.ts'

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
