import { canonicalJson } from '../../kernel/canonical-json.ts'
import { isSchemaObject, placeOf } from '../../tools/schema/subschemas.ts'

/**
 * Write a schema as canonical JSON in which arguments keep the order their author gave them: a model
 * fills them in that order, and may have been asked for its reasons before its answer. Keywords,
 * and members of everything else, are sorted.
 */
export function schemaText(schema: unknown): string {
  if (!isSchemaObject(schema)) return canonicalJson(schema)
  return objectText(schema, Object.keys(schema).sort(), keywordText)
}

function keywordText(value: unknown, keyword: string): string {
  switch (placeOf(keyword)) {
    case 'named': {
      if (!isSchemaObject(value)) return canonicalJson(value)
      const names = Object.keys(value)
      return objectText(value, keyword === 'properties' ? names : names.sort(), schemaText)
    }
    case 'direct':
      return Array.isArray(value) ? `[${value.map(schemaText).join(',')}]` : schemaText(value)
    case null:
      return canonicalJson(value)
  }
}

function objectText(
  object: Readonly<Record<string, unknown>>,
  names: readonly string[],
  text: (value: unknown, name: string) => string,
): string {
  const members = names
    .filter((name) => object[name] !== undefined)
    .map((name) => `${JSON.stringify(name)}:${text(object[name], name)}`)
  return `{${members.join(',')}}`
}
