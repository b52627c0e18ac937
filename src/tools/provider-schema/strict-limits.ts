import type { JsonSchema } from '../../kernel/json.ts'
import { isSchemaObject, subschemasOf } from '../schema/subschemas.ts'
import type { LossList } from './loss-list.ts'
import { listOf, namedSchemas, own } from '../schema/members.ts'

/** What strict decoding takes of one schema, as its documentation had it in November 2026. */
const LIMITS = { properties: 5_000, levels: 10, enumValues: 1_000, characters: 120_000 }

/** Note where a converted schema is larger than strict decoding takes: it would be refused whole. */
export function checkStrictLimits(root: JsonSchema, losses: LossList): void {
  const found = { properties: 0, levels: 0, enumValues: 0, characters: 0 }
  function visit(schema: JsonSchema, level: number): void {
    const names = [...namedSchemas(schema, 'properties'), ...namedSchemas(schema, '$defs')]
    const values = [...listOf(schema, 'enum'), own(schema, 'const')]
    found.properties += namedSchemas(schema, 'properties').length
    found.enumValues += listOf(schema, 'enum').length
    found.levels = Math.max(found.levels, level)
    for (const text of [...names.map(([name]) => name), ...values]) {
      if (typeof text === 'string') found.characters += text.length
    }
    for (const { keyword, schema: child } of subschemasOf(schema)) {
      visit(child, keyword === 'properties' || keyword === 'items' ? level + 1 : level)
    }
  }
  if (isSchemaObject(root)) visit(root, 0)
  const { properties, levels, enumValues, characters } = found
  if (properties > LIMITS.properties) {
    losses.add('', 'properties', 'refused', `${properties} members, at most ${LIMITS.properties}`)
  }
  if (levels > LIMITS.levels) {
    losses.add('', 'properties/depth', 'refused', `${levels} levels, at most ${LIMITS.levels}`)
  }
  if (enumValues > LIMITS.enumValues) {
    losses.add('', 'enum', 'refused', `${enumValues} values, at most ${LIMITS.enumValues}`)
  }
  if (characters > LIMITS.characters) {
    losses.add('', 'names', 'refused', `${characters} characters, at most ${LIMITS.characters}`)
  }
}
