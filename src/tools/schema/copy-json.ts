import type { JsonSchema } from '../../kernel/json.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'

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
