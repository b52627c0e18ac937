import type { JsonSchema } from '../../kernel/json-value.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { KEYWORD_SHAPES } from './keyword-shapes.ts'
import { booleanPlaces, referencePath, subschemas } from './subschemas.ts'

/** Dialects that read alike in what tools use; `https` and a last `#` make no difference. */
const DIALECTS: ReadonlySet<string> = new Set([
  'json-schema.org/draft/2020-12/schema',
  'json-schema.org/draft/2019-09/schema',
  'json-schema.org/draft-07/schema',
])

/**
 * Throw when a schema cannot be used: another dialect (`SCHEMA_DIALECT`), a reference that
 * leads out of the document (`SCHEMA_REMOTE_REF`; nothing is ever fetched), or a keyword whose
 * value makes no sense (`SCHEMA_INVALID`).
 *
 * Looks at the keywords that decide about values, which is cheap enough for every definition;
 * the validator itself is compiled when the first call arrives.
 */
export function checkSchema(root: JsonSchema): void {
  const places = new Set<string>()
  const references: { readonly reference: string; readonly place: string }[] = []

  function visit(schema: JsonSchema, place: string): void {
    places.add(place)
    for (const pointer of booleanPlaces(schema)) places.add(place + pointer)
    if (Object.hasOwn(schema, '$anchor')) places.add(String(schema['$anchor']))
    if (Object.hasOwn(schema, '$dynamicAnchor')) places.add(String(schema['$dynamicAnchor']))
    checkKeywords(schema, place)
    for (const keyword of ['$ref', '$dynamicRef']) {
      const reference = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined
      if (typeof reference === 'string') references.push({ reference, place })
    }
    for (const { pointer, schema: child } of subschemas(schema)) visit(child, place + pointer)
  }

  visit(root, '')
  for (const { reference, place } of references) checkReference(reference, place, places)
}

function checkKeywords(schema: JsonSchema, place: string): void {
  for (const [keyword, value] of Object.entries(schema)) {
    const shape = KEYWORD_SHAPES.get(keyword)
    if (shape !== undefined && !shape.fits(value)) {
      throw invalid(place, `"${keyword}" must be ${shape.expected}`)
    }
  }
  if (Object.hasOwn(schema, '$id') && place !== '') {
    throw invalid(place, '"$id" may only stand at the top, since a tool has one schema')
  }
  if (Object.hasOwn(schema, '$schema')) checkDialect(schema['$schema'])
}

function checkDialect(dialect: unknown): void {
  const plain = String(dialect)
    .replace(/^https?:\/\//u, '')
    .replace(/#$/u, '')
  if (DIALECTS.has(plain)) return
  throw new WorkspaceError('SCHEMA_DIALECT', `The JSON Schema dialect "${dialect}" is not read.`, {
    facts: { dialect },
    hint: 'Write the schema in draft 2020-12 and leave "$schema" out. 2019-09 and draft-07 are read too.',
  })
}

function checkReference(reference: string, place: string, places: ReadonlySet<string>): void {
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
    throw invalid(place, `"${reference}" points at no schema of this document`)
  }
}

function invalid(place: string, what: string): WorkspaceError {
  const where = place === '' ? 'at the top' : `at "${place}"`
  return new WorkspaceError('SCHEMA_INVALID', `The schema is wrong ${where}: ${what}.`, {
    facts: { place },
    hint: 'See json-schema.org/draft/2020-12 for what each keyword takes.',
  })
}

/** Levels of objects and lists a schema may have, one inside the other. */
const SCHEMA_MAX_DEPTH = 64

/** Characters of JSON a schema may have, about 256 kB. */
const SCHEMA_MAX_SIZE = 262_144

/**
 * A private copy of a schema as plain JSON, so that nobody changes it after it was checked.
 *
 * Stops at the bounds while it copies: a cycle, an endless getter or a graph that unfolds
 * without end is `SCHEMA_TOO_DEEP` or `SCHEMA_TOO_LARGE`, never a hang. A member named
 * `__proto__` stays a member.
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
        { facts: { limit: SCHEMA_MAX_DEPTH }, hint: 'Use "$defs" and "$ref" for what repeats.' },
      )
    }
    if (value === null || typeof value === 'boolean') return value
    if (typeof value === 'string') return (spend(value.length + 2), value)
    if (typeof value === 'number' && Number.isFinite(value)) return (spend(8), value)
    if (typeof value !== 'object') throw notJson(typeof value)
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

function notJson(kind: string): WorkspaceError {
  return new WorkspaceError('SCHEMA_INVALID', `The schema holds a ${kind}, which is not JSON.`, {
    hint: 'A JSON Schema is made of objects, lists, strings, finite numbers, booleans and null.',
  })
}
