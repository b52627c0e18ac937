import type { FieldReader } from './field-reader.ts'
import type { Findings } from './findings.ts'
import { ownReader } from './own-reader.ts'
import { TOOL_SCHEMA_FIELDS, type ToolSchemaValues } from './tool-schema-fields.ts'
import type { YamlEntry } from './yaml-node.ts'

/** The keys this project adds to a `TOOL.md`, each as `loadout.<key>`, with the field it gives. */
const OWN_TOOL_KEYS = {
  category: 'category',
  idempotent: 'idempotent',
  modes: 'allowedModes',
  phrases: 'phrases',
  related: 'related',
  'requires-confirmation': 'requiresConfirmation',
  risk: 'risk',
  topic: 'topic',
  version: 'version',
} as const

/** Read the keys of a tool that are our own from the `metadata` of its `TOOL.md`. */
export function ownToolFields(
  metadata: ReadonlyMap<string, YamlEntry>,
  findings: Findings,
): ToolSchemaValues {
  const reader = ownReader(metadata, findings)
  const values: Record<string, unknown> = {}
  for (const [key, field] of Object.entries(OWN_TOOL_KEYS)) {
    if (reader.entry(key) === undefined) continue
    const value = valueOf(reader, key)
    const checked = TOOL_SCHEMA_FIELDS[field].safeParse(value)
    if (checked.success) values[field] = checked.data
    else if (value !== undefined) {
      findings.add(
        'error',
        'field-kind',
        `The field "loadout.${key}" ${checked.error.issues[0]?.message ?? 'is wrong'}.`,
        'Correct it: without it the tool could do more than was meant.',
        reader.entry(key)?.node.place,
      )
    }
  }
  reader.reportUnknown(Object.keys(OWN_TOOL_KEYS))
  return values
}

function valueOf(reader: FieldReader, key: string): unknown {
  switch (key) {
    case 'idempotent':
    case 'requires-confirmation':
      return reader.flag(key)
    case 'modes':
    case 'related':
      return reader.words(key)
    case 'phrases':
      return reader.phrases(key)
  }
  return reader.text(key)
}
