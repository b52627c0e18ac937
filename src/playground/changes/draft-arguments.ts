import type { JsonSchema } from '../../kernel/json.ts'
import type { TextField } from '../text/text-field.ts'

/**
 * The arguments a schema requires, with its defaults or blanks, to begin with. The cursor stands
 * in the first blank text, else before the last brace.
 */
export function draftArguments(schema: JsonSchema | undefined): TextField {
  const { required, properties } = objectOf(schema)
  const schemas = new Map(Object.entries(objectOf(properties)))
  const names = Array.isArray(required) ? required.filter((one) => typeof one === 'string') : []
  const fields = names.map((name) => `${JSON.stringify(name)}: ${blankOf(schemas.get(name))}`)
  const text = `{${fields.join(', ')}}`
  const quotes = text.indexOf(': ""')
  return { text, cursor: quotes < 0 ? text.length - 1 : quotes + ': "'.length }
}

const BLANKS: ReadonlyMap<unknown, string> = new Map([
  ['number', '0'],
  ['integer', '0'],
  ['boolean', 'false'],
  ['array', '[]'],
  ['object', '{}'],
  ['null', 'null'],
])

function blankOf(schema: unknown): string {
  const { default: preset, const: only, enum: choices, type } = objectOf(schema)
  const [first] = Array.isArray(choices) ? choices : []
  const value: unknown = preset ?? only ?? first
  if (value !== undefined) return JSON.stringify(value)
  return BLANKS.get(Array.isArray(type) ? type[0] : type) ?? '""'
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {}
}
