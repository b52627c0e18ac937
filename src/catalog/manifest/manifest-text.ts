import { canonicalJson } from '../../kernel/canonical-json.ts'
import { byName } from '../by-name.ts'
import type { Manifest } from './manifest.ts'

/**
 * A manifest as a file: canonical JSON with a definition a line, so that version control shows which
 * of them changed. Ends with a line break.
 */
export function manifestText(manifest: Manifest): string {
  const members = Object.entries(manifest)
    .sort(([a], [b]) => byName(a, b))
    .map(([name, value]) => `${JSON.stringify(name)}:${valueText(value)}`)
  return `{\n${members.join(',\n')}\n}\n`
}

function valueText(value: unknown): string {
  if (!Array.isArray(value) || value.length === 0) return canonicalJson(value)
  return `[\n${value.map((one) => canonicalJson(one)).join(',\n')}\n]`
}
