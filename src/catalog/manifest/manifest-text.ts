import { canonicalJson } from '../../kernel/canonical-json.ts'
import { schemaText } from './schema-text.ts'
import { byName } from '../../kernel/by-name.ts'
import type { Manifest } from './manifest.ts'

/** Members of tools, and of their forms for providers, that are schemas. */
const SCHEMAS: ReadonlySet<string> = new Set(['inputSchema', 'outputSchema', 'schema'])

/**
 * A manifest as a file: canonical JSON with a definition a line, so that version control shows which
 * of them changed; arguments alone stand in the order of their author, in which models are told
 * them. Ends with a line break.
 */
export function manifestText(manifest: Manifest): string {
  const members = Object.entries(manifest)
    .sort(([a], [b]) => byName(a, b))
    .map(([name, value]) => `${JSON.stringify(name)}:${valueText(value)}`)
  return `{\n${members.join(',\n')}\n}\n`
}

function valueText(value: unknown): string {
  if (!Array.isArray(value) || value.length === 0) return canonicalJson(value)
  return `[\n${value.map(definitionText).join(',\n')}\n]`
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
