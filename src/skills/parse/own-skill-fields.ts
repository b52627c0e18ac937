import { withoutUndefined } from '../../kernel/json-value.ts'
import type { SkillDefinition } from '../definition/define-skill.ts'
import type { FieldReader } from './field-reader.ts'
import type { Findings } from './findings.ts'
import { readCondition } from './read-condition.ts'
import { ownReader } from './read-metadata.ts'
import { parseLifetime } from '../definition/lifetime.ts'
import type { YamlEntry } from './parse-yaml.ts'

/** The keys that this project adds to skills of the open format, as `loadout.<key>`. */
const OWN_KEYS = [
  'aliases',
  'capabilities',
  'conflicts',
  'connect',
  'display-name',
  'exclusive',
  'extends',
  'lifetime',
  'on-conflict',
  'phrases',
  'requires',
  'tags',
  'tools',
  'toolsets',
  'topic',
  'triggers',
  'version',
  'when',
  'when-to-use',
] as const

/** The part of a definition that our own keys contain, and the topic for its tools. */
type OwnFields = Omit<Partial<SkillDefinition>, 'name' | 'description'> & {
  readonly topic?: string
}

/** Reads our own keys from the `metadata` of a skill. */
export function ownSkillFields(
  metadata: ReadonlyMap<string, YamlEntry>,
  findings: Findings,
): OwnFields {
  const reader = ownReader(metadata, findings)
  const own: OwnFields = withoutUndefined({
    displayName: reader.text('display-name'),
    topic: reader.text('topic'),
    version: reader.text('version'),
    whenToUse: reader.text('when-to-use'),
    when: readCondition(reader, findings),
    exclusive: reader.flag('exclusive'),
    lifetime: readLifetime(reader, findings),
    onConflict: reader.choice(
      'on-conflict',
      ['refuse', 'shadow', 'namespace'],
      'an action for two tools of the same name; they are refused.',
    ),
    connect: reader.choice(
      'connect',
      ['first-call', 'activation'],
      'a moment to connect servers; those with stored tools are connected at the first call.',
    ),
    aliases: reader.phrases('aliases'),
    capabilities: reader.phrases('capabilities'),
    conflicts: reader.words('conflicts'),
    extends: reader.words('extends'),
    requires: reader.words('requires'),
    tags: reader.words('tags'),
    tools: reader.words('tools'),
    toolsets: reader.words('toolsets'),
    triggers: [...new Set([...reader.phrases('triggers'), ...reader.phrases('phrases')])],
  })
  reader.reportUnknown(OWN_KEYS)
  return own
}

function readLifetime(reader: FieldReader, findings: Findings) {
  const text = reader.text('lifetime')
  if (text === undefined) return undefined
  const lifetime = parseLifetime(text)
  if (lifetime !== null) return lifetime
  findings.add(
    'warning',
    'field-value',
    `"${text}" is not a lifetime; the skill stays active for the session.`,
    'Write session, once, 3 uses, 3 turns, or idle 3 turns.',
    reader.entry('lifetime')?.node.place,
  )
  return undefined
}
