import type { ExtractionResult, MemoryEntity } from '../../../engine/model/memory-event.ts'
import { sanitiseLine } from '../../../kernel/sanitise-text.ts'
import { hasMembers } from '../../../kernel/json-value.ts'
import type { ExtractionSchema, Tool } from '../../../tools/definition/tool.ts'
import { thrownMessage } from '../../../kernel/thrown-message.ts'

/** The entities extracted from one result, for working memory. */
interface Extracted {
  readonly result: ExtractionResult
  readonly entities: readonly MemoryEntity[]
  /** Present when something is wrong. */
  readonly message?: string
}

/** Entities kept of one result: its subject, not a list of everything in it. */
const MAX_ENTITIES = 5

/** Characters that are kept: a longer text is no name. */
const MAX_LENGTHS = { type: 40, id: 200, name: 120 } as const

/**
 * Extracts the subjects of a successful result, by the tool's own function or its schema; undefined for a
 * tool with neither. Never throws, so that extraction cannot fail a call.
 *
 * @param data plain JSON
 */
export function extractEntities(tool: Tool, data: unknown): Extracted | undefined {
  try {
    if (tool.extract) return bounded(byFunction(tool.extract(data), data))
    return tool.extraction && bounded(extractBySchema(tool.extraction, data))
  } catch (error) {
    return { result: 'threw', entities: [], message: `extract threw: ${thrownMessage(error)}` }
  }
}

function byFunction(given: unknown, data: unknown): RawExtraction {
  if (!Array.isArray(given)) {
    return { result: 'unlike-schema', entities: [], message: 'extract returned no list.' }
  }
  const entities = given.filter((one) => typeof one === 'object' && one !== null)
  if (entities.length > 0) return { result: 'extracted', entities }
  return isNothing(data)
    ? { result: 'empty', entities }
    : { result: 'nothing-extracted', entities, message: 'extract found nothing in the result.' }
}

function isNothing(data: unknown): boolean {
  return data === null || (typeof data === 'object' && Object.keys(data).length === 0)
}

/** Turns untrusted names into data: one line each, of limited length. */
function bounded({ result, entities: raw, message }: RawExtraction): Extracted {
  const entities: MemoryEntity[] = []
  for (const one of raw) {
    if (entities.length === MAX_ENTITIES) break
    const [type, id, name] = [
      boundedText(one, 'type'),
      boundedText(one, 'id'),
      boundedText(one, 'name'),
    ]
    if (type !== '' && id !== '' && name !== '') entities.push({ type, id, name })
  }
  if (result !== 'extracted') return { result, entities, ...(message !== undefined && { message }) }
  return entities.length > 0
    ? { result, entities }
    : {
        result: 'nothing-extracted',
        entities,
        message: message ?? 'No row has a type, an id and a name.',
      }
}

/** Ids and names may be numbers; any other value counts as missing. */
function boundedText(entity: RawExtraction['entities'][number], key: keyof MemoryEntity): string {
  const value = entity[key]
  const written = typeof value === 'number' || typeof value === 'bigint' ? String(value) : value
  if (typeof written !== 'string') return ''
  // Cut first, so that a hostile tool cannot make us clean a megabyte to keep one line.
  const limit = MAX_LENGTHS[key]
  const line = sanitiseLine(written.slice(0, limit * 4).toWellFormed()).trim()
  return line.length <= limit
    ? line
    : `${line
        .slice(0, limit - 1)
        .toWellFormed()
        .trimEnd()}…`
}

/** Finds the entities at the path that a tool's extraction schema names. */
function extractBySchema(schema: ExtractionSchema, data: unknown): RawExtraction {
  const { path, isArray = false } = schema
  const there = valueAt(data, path)
  if (!there.found) return unlikeSchema(`The result has nothing at "${path}".`)
  const { value } = there
  if (value === null) return { result: 'empty', entities: [] }
  if (isArray !== Array.isArray(value) || typeof value !== 'object') {
    return unlikeSchema(`At "${path}" there is ${isArray ? 'no list' : 'no object'}.`)
  }
  const rows: readonly unknown[] = isArray ? (value as unknown[]) : [value]
  if (rows.length === 0) return { result: 'empty', entities: [] }
  return { result: 'extracted', entities: entitiesOf(rows, schema), message: missing(schema) }
}

function unlikeSchema(message: string): RawExtraction {
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
    hasMembers(row) ? { type, id: own(row, idField), name: own(row, nameField) } : [],
  )
}

type Place = { readonly found: true; readonly value: unknown } | { readonly found: false }

/** Follows a dotted path by own keys only, so that inherited members are not read. */
function valueAt(data: unknown, path: string): Place {
  if (path === '$root') return { found: true, value: data }
  let value = data
  for (const key of path.replace(/^\$root\./u, '').split('.')) {
    if (!hasMembers(value) || !Object.hasOwn(value, key)) return { found: false }
    value = value[key]
  }
  return { found: true, value }
}

function own(row: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(row, key) ? row[key] : undefined
}

/** The outcome of one extraction, with unchecked entities: their members may have any value. */
interface RawExtraction {
  readonly result: ExtractionResult
  readonly entities: readonly Readonly<Record<keyof MemoryEntity, unknown>>[]
  /** The problem, or the problem to report if no entity is complete. */
  readonly message?: string
}
