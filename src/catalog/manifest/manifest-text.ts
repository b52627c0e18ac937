import type { Manifest } from './manifest.ts'
import { canonicalJson } from '../../kernel/canonical-json.ts'
import { isObject } from '../../kernel/json-value.ts'
import { byName } from '../../kernel/nearest-names.ts'
import { keywordPlace } from '../../schema/interpreter/subschemas.ts'

/** Members that are schemas, of tools and of their forms for providers. */
const SCHEMAS: ReadonlySet<string> = new Set(['inputSchema', 'outputSchema', 'schema'])

/**
 * Writes a manifest as the text of a file: canonical JSON with one definition per line, so that version
 * control shows which of them changed. Only arguments keep their author's order, because models read
 * them in it. Ends with a line break.
 */
export function manifestText(manifest: Manifest): string {
  const members = Object.entries(manifest)
    .sort(([a], [b]) => byName(a, b))
    .map(([name, value]) => {
      const isEmpty = !Array.isArray(value) || value.length === 0
      const text = isEmpty ? canonicalJson(value) : `[\n${value.map(definitionText).join(',\n')}\n]`
      return `${JSON.stringify(name)}:${text}`
    })
  return `{\n${members.join(',\n')}\n}\n`
}

function definitionText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(definitionText).join(',')}]`
  if (typeof value !== 'object' || value === null) return canonicalJson(value)
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => byName(a, b))
    .map(([name, member]) => {
      const text = SCHEMAS.has(name) ? schemaText(member) : definitionText(member)
      return `${JSON.stringify(name)}:${text}`
    })
  return `{${members.join(',')}}`
}

/**
 * Writes a schema as canonical JSON in which arguments keep their author's order: a model fills them
 * in that order, and may be asked for its reasons before its answer. Keywords and all other members
 * are sorted.
 */
export function schemaText(schema: unknown): string {
  if (!isObject(schema)) return canonicalJson(schema)
  return objectText(schema, Object.keys(schema).sort(), keywordText)
}

function keywordText(value: unknown, keyword: string): string {
  switch (keywordPlace(keyword)) {
    case 'named': {
      if (!isObject(value)) return canonicalJson(value)
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
