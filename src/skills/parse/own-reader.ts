import { FieldReader } from './field-reader.ts'
import type { Findings } from './findings.ts'
import type { YamlEntry } from './yaml-node.ts'

const PREFIX = 'loadout.'

/**
 * A reader of our own keys in `metadata`: flat (`loadout.tools: "a b"`), as the open format's
 * text-to-text metadata asks for, or in a mapping under `loadout`.
 */
export function ownReader(
  metadata: ReadonlyMap<string, YamlEntry>,
  findings: Findings,
): FieldReader {
  const nested = metadata.get('loadout')?.node
  const fields = new Map(nested?.kind === 'map' ? nested.entries : [])
  for (const [key, entry] of metadata) {
    if (key.startsWith(PREFIX)) fields.set(key.slice(PREFIX.length), entry)
  }
  return new FieldReader(fields, findings, PREFIX)
}

/** True for a key of `metadata` that is one of ours. */
export function isOwnKey(key: string): boolean {
  return key === 'loadout' || key.startsWith(PREFIX)
}
