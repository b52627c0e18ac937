import type { ExtractionSchema } from '../../tools/definition/tool.ts'
import type { RawExtraction } from './raw-extraction.ts'

/** Find the entities of a result where a tool's schema says they stand. */
export function extractBySchema(schema: ExtractionSchema, data: unknown): RawExtraction {
  const { path, isArray = false } = schema
  const there = valueAt(data, path)
  if (!there.found) return unlike(`The result has nothing at "${path}".`)
  const { value } = there
  if (value === null) return { result: 'empty', entities: [] }
  if (isArray !== Array.isArray(value) || typeof value !== 'object') {
    return unlike(`At "${path}" there is ${isArray ? 'no list' : 'no object'}.`)
  }
  const rows: readonly unknown[] = isArray ? (value as unknown[]) : [value]
  if (rows.length === 0) return { result: 'empty', entities: [] }
  return { result: 'extracted', entities: entitiesOf(rows, schema), message: missing(schema) }
}

function unlike(message: string): RawExtraction {
  return { result: 'unlike-schema', entities: [], message }
}

function missing({ path, nameField, idField = 'id' }: ExtractionSchema): string {
  return `No row at "${path}" has both "${idField}" and "${nameField}".`
}

function entitiesOf(
  rows: readonly unknown[],
  { type, nameField, idField = 'id' }: ExtractionSchema,
): RawExtraction['entities'] {
  return rows.flatMap((row) =>
    isObject(row) ? { type, id: own(row, idField), name: own(row, nameField) } : [],
  )
}

type Place = { readonly found: true; readonly value: unknown } | { readonly found: false }

/** A dotted path, by own keys only: a result cannot be asked for what every object inherits. */
function valueAt(data: unknown, path: string): Place {
  if (path === '$root') return { found: true, value: data }
  let value = data
  for (const key of path.replace(/^\$root\./u, '').split('.')) {
    if (!isObject(value) || !Object.hasOwn(value, key)) return { found: false }
    value = value[key]
  }
  return { found: true, value }
}

function own(row: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(row, key) ? row[key] : undefined
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
