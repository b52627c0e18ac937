import { isObject, type JsonSchema } from '../../kernel/json-value.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { KEYWORD_SHAPES } from './keyword-shapes.ts'
import { keywordValue, referencePath, schemaPlaces } from './subschemas.ts'

/** Dialects that are equal for the keywords that tools use, without the scheme and a final `#`. */
const DIALECTS: ReadonlySet<string> = new Set([
  'json-schema.org/draft/2020-12/schema',
  'json-schema.org/draft/2019-09/schema',
  'json-schema.org/draft-07/schema',
])

/**
 * Throws if a schema cannot be used: for another dialect (`SCHEMA_DIALECT`), a reference to another
 * document (`SCHEMA_REMOTE_REF`; nothing is ever fetched), or a keyword with a wrong value
 * (`SCHEMA_INVALID`). After that, no call can fail because of the schema. Returns all schemas inside it, by
 * place.
 */
export function checkSchema(root: JsonSchema): ReadonlyMap<string, JsonSchema | boolean> {
  const places = schemaPlaces(root)
  for (const [place, schema] of places) {
    if (isObject(schema)) checkKeywords(schema, place)
  }
  for (const [place, schema] of places) {
    for (const reference of isObject(schema) ? listReferences(schema) : []) {
      checkReference(reference, place, places)
    }
  }
  checkEndless(places)
  return places
}

/**
 * Throws if a schema applies itself to the same value again and again. Only keywords that always apply
 * count, so no value could ever fit such a schema.
 */
function checkEndless(places: ReadonlyMap<string, JsonSchema | boolean>): void {
  const finished = new Set<JsonSchema>()
  const inside = new Set<JsonSchema>()

  function visit(schema: JsonSchema, place: string): void {
    if (finished.has(schema)) return
    if (inside.has(schema)) throw invalid(place, 'it refers to itself without end')
    inside.add(schema)
    const targets = listReferences(schema).map((reference) => places.get(referencePath(reference)))
    const always = ['allOf', 'not', 'if'].flatMap((keyword) => keywordValue(schema, keyword))
    for (const next of [...targets, ...always]) if (isObject(next)) visit(next, place)
    inside.delete(schema)
    finished.add(schema)
  }

  for (const [place, schema] of places) {
    if (isObject(schema) && listReferences(schema).length > 0) visit(schema, place)
  }
}

function listReferences(schema: JsonSchema): readonly string[] {
  return ['$ref', '$dynamicRef']
    .map((keyword) => keywordValue(schema, keyword))
    .filter((reference) => typeof reference === 'string')
}

function checkKeywords(schema: JsonSchema, place: string): void {
  for (const [keyword, value] of Object.entries(schema)) {
    const shape = KEYWORD_SHAPES.get(keyword)
    if (shape !== undefined && !shape.fits(value)) {
      throw invalid(place, `"${keyword}" must be ${shape.expected}`)
    }
  }
  if (Object.hasOwn(schema, '$id') && place !== '') {
    throw invalid(place, '"$id" is only allowed at the top, because a tool has one schema')
  }
  if (Object.hasOwn(schema, '$schema')) checkDialect(schema['$schema'])
}

function checkDialect(dialect: unknown): void {
  const plain = String(dialect)
    .replace(/^https?:\/\//u, '')
    .replace(/#$/u, '')
  if (DIALECTS.has(plain)) return
  throw new WorkspaceError(
    'SCHEMA_DIALECT',
    `The JSON Schema dialect "${dialect}" is not supported.`,
    {
      facts: { dialect },
      hint: 'Write the schema in draft 2020-12 and leave "$schema" out. 2019-09 and draft-07 are also supported.',
    },
  )
}

function checkReference(
  reference: string,
  place: string,
  places: ReadonlyMap<string, unknown>,
): void {
  if (!reference.startsWith('#')) {
    throw new WorkspaceError(
      'SCHEMA_REMOTE_REF',
      `The schema refers to another document, "${reference}", at "${place}".`,
      {
        facts: { reference, place },
        hint: 'Copy that schema under "$defs" and refer to it as "#/$defs/name". Nothing is fetched.',
      },
    )
  }
  if (!places.has(referencePath(reference))) {
    throw invalid(place, `"${reference}" refers to no schema of this document`)
  }
}

function invalid(place: string, what: string): WorkspaceError {
  const where = place === '' ? 'at the top' : `at "${place}"`
  return new WorkspaceError('SCHEMA_INVALID', `The schema is wrong ${where}: ${what}.`, {
    facts: { place },
    hint: 'See json-schema.org/draft/2020-12 for the values of each keyword.',
  })
}

/** Levels of nested objects and lists. */
const SCHEMA_MAX_DEPTH = 64

/** Characters of JSON, about 256 kB. */
const SCHEMA_MAX_SIZE = 262_144

/**
 * Copies a schema as plain JSON, so that it cannot be changed after it was checked.
 *
 * The limits apply while it copies: a cycle, an endless getter or a graph that expands without end
 * throws `SCHEMA_TOO_DEEP` or `SCHEMA_TOO_LARGE`. A member named `__proto__` stays a member.
 */
export function copyJson(schema: object): JsonSchema {
  let size = 0

  function spend(characters: number): void {
    size += characters
    if (size > SCHEMA_MAX_SIZE) {
      throw new WorkspaceError('SCHEMA_TOO_LARGE', 'The schema is larger than 256 kB.', {
        facts: { limit: SCHEMA_MAX_SIZE },
        hint: 'Describe fewer arguments, or take part of the input as text.',
      })
    }
  }

  function copy(value: unknown, depth: number): unknown {
    if (depth > SCHEMA_MAX_DEPTH) {
      throw new WorkspaceError(
        'SCHEMA_TOO_DEEP',
        `The schema is nested more than ${SCHEMA_MAX_DEPTH} levels deep, or refers to itself.`,
        {
          facts: { limit: SCHEMA_MAX_DEPTH },
          hint: 'Use "$defs" and "$ref" for schemas that repeat.',
        },
      )
    }
    if (value === null || typeof value === 'boolean') return value
    if (typeof value === 'string') return (spend(value.length + 2), value)
    if (typeof value === 'number' && Number.isFinite(value)) return (spend(8), value)
    if (typeof value !== 'object') {
      const message = `The schema contains a ${typeof value}, which is not JSON.`
      throw new WorkspaceError('SCHEMA_INVALID', message, {
        hint: 'A JSON Schema consists of objects, lists, strings, finite numbers, booleans and null.',
      })
    }
    if (Array.isArray(value)) {
      spend(value.length + 2)
      return value.map((item) => copy(item, depth + 1))
    }
    const members = Object.entries(value).filter(([, member]) => member !== undefined)
    return Object.fromEntries(
      members.map(([key, member]) => (spend(key.length + 4), [key, copy(member, depth + 1)])),
    )
  }

  return copy(schema, 1) as JsonSchema
}
