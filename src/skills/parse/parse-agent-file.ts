import type { Diagnostic } from '../../kernel/diagnostic.ts'
import type { AgentDefinition } from '../definition/define-agent.ts'
import { FieldReader } from './field-reader.ts'
import { Findings } from './findings.ts'
import type { YamlEntry } from './parse-yaml.ts'
import {
  type DefinitionFile,
  readDefinition,
  readSkillName,
  withoutBlankEdges,
} from './read-definition.ts'
import { metadataEntries, ownReader } from './read-metadata.ts'

const FIELDS = ['name', 'description', 'initialSkills', 'skills', 'metadata']

/** What an `AGENT.md` says, for `defineAgent`; null when an error keeps it from loading. */
interface ParsedAgentFile {
  readonly definition: AgentDefinition | null
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Read an `AGENT.md`: Carnet's fields (`initialSkills`, `skills`), our own keys in `metadata`, and as
 * body the base prompt. `unlisted` is what an agent that lists no skills may load: every one, or as
 * with Carnet none beside its initial ones.
 */
export function parseAgentFile(
  source: DefinitionFile,
  unlisted: '*' | 'none' = '*',
): ParsedAgentFile {
  const findings = new Findings(source.file)
  const parsed = readDefinition(source, findings)
  if (parsed === null) return { definition: null, diagnostics: findings.list }
  const reader = new FieldReader(parsed.fields, findings)
  const name = readSkillName(reader, source.folder, findings, 'agent')
  if (name === undefined) return { definition: null, diagnostics: findings.list }
  const given = reader.text('name')
  const own = ownAgentFields(metadataEntries(reader.entry('metadata'), findings), findings)
  const skills = reader.words('skills')
  const listed = reader.entry('skills') !== undefined || unlisted === 'none'
  const definition: AgentDefinition = {
    ...own,
    name,
    ...(own.displayName === undefined &&
      given !== undefined &&
      given !== name && { displayName: given }),
    description: reader.text('description') ?? '',
    prompt: withoutBlankEdges(parsed.body),
    initialSkills: reader.words('initialSkills'),
    ...(listed && { skills: skills.includes('*') ? '*' : skills }),
  }
  if (definition.description === '') {
    findings.add(
      'info',
      'description-missing',
      'The agent has no description.',
      'Add `description:` and say what it is for.',
      reader.entry('description')?.node.place ?? { line: 1, column: 1 },
    )
  }
  reader.reportUnknown(FIELDS)
  return { definition, diagnostics: findings.list }
}

/** The keys this project adds to an agent, each as `loadout.<key>` in `metadata`. */
const OWN_AGENT_KEYS = [
  'discovery',
  'display-name',
  'exclusive',
  'mode',
  'pinned',
  'tools',
  'versions',
] as const

/** Read the keys of an agent that are our own from its `metadata`. */
function ownAgentFields(
  metadata: ReadonlyMap<string, YamlEntry>,
  findings: Findings,
): Omit<AgentDefinition, 'name'> {
  const reader = ownReader(metadata, findings)
  const displayName = reader.text('display-name')
  const mode = reader.text('mode')
  const exclusive = reader.flag('exclusive')
  const discovery = readDiscovery(reader, findings)
  const own: Omit<AgentDefinition, 'name'> = {
    ...(displayName !== undefined && { displayName }),
    ...(mode !== undefined && { mode }),
    ...(exclusive !== undefined && { exclusive }),
    ...(discovery !== undefined && { discovery }),
    ...wordsOf(reader, 'pinned'),
    ...wordsOf(reader, 'tools'),
    ...wordsOf(reader, 'versions'),
  }
  reader.reportUnknown(OWN_AGENT_KEYS)
  return own
}

/** A list that is absent when it is not given: no tools is not the same as all of them. */
function wordsOf<Key extends 'pinned' | 'tools' | 'versions'>(reader: FieldReader, key: Key) {
  if (reader.entry(key) === undefined) return {}
  return { [key]: reader.words(key) } as { readonly [One in Key]: readonly string[] }
}

function readDiscovery(reader: FieldReader, findings: Findings): AgentDefinition['discovery'] {
  const text = reader.text('discovery')
  if (text === undefined || text === 'activate-on-call' || text === 'suggest') return text
  findings.add(
    'warning',
    'field-value',
    `"${text.slice(0, 40)}" does not say what happens to tools that a search found; it has no effect.`,
    'Write activate-on-call or suggest.',
    reader.entry('discovery')?.node.place,
  )
  return undefined
}
