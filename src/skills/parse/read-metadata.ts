import { canonicalJson } from '../../kernel/canonical-json.ts'
import { FieldReader } from './field-reader.ts'
import type { Findings } from './findings.ts'
import type { YamlEntry, YamlNode } from './parse-yaml.ts'

/**
 * Reads the `metadata` of a skill as texts by name. Lists and mappings become JSON, with a finding. Our
 * own keys are left out, because they are fields of the skill.
 */
export function readMetadata(
  metadata: ReadonlyMap<string, YamlEntry>,
  findings: Findings,
): Readonly<Record<string, string>> {
  const texts: Record<string, string> = Object.create(null)
  for (const [key, { node }] of metadata) {
    if (key === 'loadout' || key.startsWith(PREFIX)) continue
    if (node.kind === 'scalar') {
      texts[key] = node.text.trim()
      continue
    }
    texts[key] = canonicalJson(plain(node))
    findings.add(
      'warning',
      'metadata-not-text',
      `The metadata "${key}" is a ${node.kind}; it was kept as JSON text.`,
      'The open format only allows text in metadata: write it as one quoted value.',
      node.place,
    )
  }
  return texts
}

function plain(node: YamlNode): unknown {
  switch (node.kind) {
    case 'scalar':
      return node.value === null ? null : node.text
    case 'list':
      return node.items.map(plain)
    case 'map': {
      const object: Record<string, unknown> = Object.create(null)
      for (const [key, entry] of node.entries) object[key] = plain(entry.node)
      return object
    }
  }
}

/** Returns the entries of a `metadata` field. Reports a finding and returns none if it is not a mapping. */
export function metadataEntries(
  entry: YamlEntry | undefined,
  findings: Findings,
): ReadonlyMap<string, YamlEntry> {
  if (entry === undefined || (entry.node.kind === 'scalar' && entry.node.value === null)) {
    return new Map()
  }
  if (entry.node.kind === 'map') return entry.node.entries
  findings.add(
    'warning',
    'field-kind',
    'The field "metadata" must be a mapping; it has no effect.',
    'Write one indented `key: value` per line below "metadata:".',
    entry.node.place,
  )
  return new Map()
}

const PREFIX = 'loadout.'

/**
 * Creates a reader of our own keys in `metadata`. They are flat (`loadout.tools: "a b"`), because the open
 * format only allows text in metadata, or in a mapping under `loadout`.
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
