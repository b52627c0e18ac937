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
  'programs',
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

/** Fields of other clients and habits, by the key or field that has the effect here. */
const HABITS: Readonly<Record<string, RegExp>> = {
  'loadout.aliases': /^alias(?:es)?$/,
  'loadout.capabilities': /^capabilit(?:y|ies)$/,
  'loadout.conflicts': /^(?:conflicts?|conflictswith|incompatiblewith)$/,
  'loadout.display-name': /^(?:displayname|title|label)$/,
  'loadout.exclusive': /^exclusive$/,
  'loadout.extends': /^extends?$/,
  'loadout.requires':
    /^(?:requires?|required?skills|requirements|dependenc(?:y|ies)|depends(?:on)?|prerequisites?)$/,
  'loadout.tags': /^tags?$/,
  'loadout.triggers':
    /^(?:triggers?(?:words?|phrases?|keywords?|patterns?)?|keywords?|phrases|activation(?:phrases|keywords)?)$/,
  when_to_use: /^(?:when|whento(?:use|invoke|activate)|usewhen|usage|triggerwhen)$/,
  'disable-model-invocation':
    /^(?:(?:enable|allow|no)?model(?:invocation|invocable)(?:enabled|disabled|allowed)?|auto(?:invoke|load|activate)|implicitinvocation)$/,
  'user-invocable': /^(?:disable|enable|allow|no)?user(?:invocation|invokable)$/,
  'disallowed-tools':
    /^(?:(?:un|not|non|dis|no|block|forbid|forbidden|blocked|denied|deny|disable|disabled|exclude|excluded|restricted|without|banned|prohibited)(?:allow(?:ed)?)?tools?|tools?(?:deny|denied|disallow|disallowed|blocked|forbidden|exclude|excluded|disabled))$/,
}

/** Returns the hint for a field that has no effect and whose meaning another field has. */
export function habitHint(field: string): string | undefined {
  const plain = field.toLowerCase().replaceAll(/[\s_.-]/g, '')
  const key = Object.keys(HABITS).find((one) => HABITS[one]?.test(plain))
  if (key === 'loadout.requires') {
    return 'Name the skills that it requires in metadata, as "loadout.requires". Programs belong in "loadout.programs", packages in "compatibility".'
  }
  if (key === 'disable-model-invocation') {
    return 'Write "disable-model-invocation: true" if no model may load the skill.'
  }
  if (key === 'user-invocable') {
    return 'Write "user-invocable: false" if the skill is no command for people.'
  }
  return key?.startsWith('loadout.') === true
    ? `Write it into metadata, as "${key}".`
    : key && `Write it as "${key}".`
}

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
    programs: reader.entry('programs') && reader.words('programs'),
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
