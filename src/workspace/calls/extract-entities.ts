import { sanitiseLine } from '../../kernel/sanitise-line.ts'
import type { ExtractionResult, MemoryEntity } from '../../engine/model/memory-event.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import { thrownMessage } from '../commands/thrown-message.ts'
import { extractBySchema } from './extract-by-schema.ts'
import type { RawExtraction } from './raw-extraction.ts'

/** What one result gave to working memory. */
export interface Extracted {
  readonly result: ExtractionResult
  readonly entities: readonly MemoryEntity[]
  /** What is wrong, when something is. */
  readonly message?: string
}

/** Entities that one result may leave: it was about these, not a list of everything. */
const MOST_A_RESULT = 5

/** Characters that are kept: more is no name. */
const LONGEST = { type: 40, id: 200, name: 120 } as const

/**
 * What a successful result was about, by the tool's own function or its schema; undefined for a
 * tool with neither. Never throws: a call is not harmed by what memory makes of it.
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

/** Names of others as data: one line each, of bounded length, shown as they are and never obeyed. */
function bounded({ result, entities: raw, message }: RawExtraction): Extracted {
  const entities: MemoryEntity[] = []
  for (const one of raw) {
    if (entities.length === MOST_A_RESULT) break
    const [type, id, name] = [text(one, 'type'), text(one, 'id'), text(one, 'name')]
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

/** Ids and names may be numbers; anything else is none. */
function text(entity: RawExtraction['entities'][number], key: keyof MemoryEntity): string {
  const value = entity[key]
  const written = typeof value === 'number' || typeof value === 'bigint' ? String(value) : value
  if (typeof written !== 'string') return ''
  // Cut first: cleaning a megabyte to keep a line of it would be work for whoever sent it.
  const limit = LONGEST[key]
  const line = sanitiseLine(written.slice(0, limit * 4).toWellFormed()).trim()
  return line.length <= limit
    ? line
    : `${line
        .slice(0, limit - 1)
        .toWellFormed()
        .trimEnd()}…`
}
