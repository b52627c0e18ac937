import type { SkillDefinition } from '../skill-definition.ts'
import type { OnConflict } from '../skill.ts'
import { FieldReader } from './field-reader.ts'
import type { Findings } from './findings.ts'
import { parseLifetime } from './parse-lifetime.ts'
import type { YamlEntry } from './yaml-node.ts'

/** The keys this project adds to the open format, each as `loadout.<key>` in `metadata`. */
const OWN_KEYS = [
  'aliases',
  'capabilities',
  'conflicts',
  'display-name',
  'exclusive',
  'extends',
  'lifetime',
  'on-conflict',
  'requires',
  'tags',
  'tools',
  'toolsets',
  'triggers',
  'version',
  'when-to-use',
] as const

const PREFIX = 'loadout.'

/** The part of a definition that our own keys give. */
type OwnFields = Omit<Partial<SkillDefinition>, 'name' | 'description'>

/**
 * Read our own keys from `metadata`: flat (`loadout.tools: "a b"`), as the open format's
 * text-to-text metadata asks for, or in a mapping under `loadout`.
 */
export function ownFields(metadata: ReadonlyMap<string, YamlEntry>, findings: Findings): OwnFields {
  const nested = metadata.get('loadout')?.node
  const fields = new Map(nested?.kind === 'map' ? nested.entries : [])
  for (const [key, entry] of metadata) {
    if (key.startsWith(PREFIX)) fields.set(key.slice(PREFIX.length), entry)
  }
  const reader = new FieldReader(fields, findings, PREFIX)
  const displayName = reader.text('display-name')
  const version = reader.text('version')
  const whenToUse = reader.text('when-to-use')
  const exclusive = reader.flag('exclusive')
  const lifetime = readLifetime(reader, findings)
  const onConflict = readOnConflict(reader, findings)
  const own: OwnFields = {
    aliases: reader.phrases('aliases'),
    capabilities: reader.phrases('capabilities'),
    conflicts: reader.words('conflicts'),
    extends: reader.words('extends'),
    requires: reader.words('requires'),
    tags: reader.words('tags'),
    tools: reader.words('tools'),
    toolsets: reader.words('toolsets'),
    triggers: reader.phrases('triggers'),
    ...(displayName !== undefined && { displayName }),
    ...(version !== undefined && { version }),
    ...(whenToUse !== undefined && { whenToUse }),
    ...(exclusive !== undefined && { exclusive }),
    ...(lifetime !== undefined && { lifetime }),
    ...(onConflict !== undefined && { onConflict }),
  }
  reader.reportUnknown(OWN_KEYS)
  return own
}

/** True for a key of `metadata` that is one of ours. */
export function isOwnKey(key: string): boolean {
  return key === 'loadout' || key.startsWith(PREFIX)
}

function readLifetime(reader: FieldReader, findings: Findings) {
  const text = reader.text('lifetime')
  if (text === undefined) return undefined
  const lifetime = parseLifetime(text)
  if (lifetime !== null) return lifetime
  findings.add(
    'warning',
    'field-value',
    `"${text}" is not a lifetime; the skill stays for the session.`,
    'Write session, once, or a number of uses such as "3 uses".',
    reader.entry('lifetime')?.node.place,
  )
  return undefined
}

function readOnConflict(reader: FieldReader, findings: Findings): OnConflict | undefined {
  const text = reader.text('on-conflict')
  if (text === undefined || text === 'refuse' || text === 'shadow' || text === 'namespace') {
    return text
  }
  findings.add(
    'warning',
    'field-value',
    `"${text}" does not say what to do when two tools have one name; they are refused.`,
    'Write refuse, shadow or namespace.',
    reader.entry('on-conflict')?.node.place,
  )
  return undefined
}
