import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { withoutUndefined } from '../../kernel/json-value.ts'
import type { AgentDefinition } from '../definition/define-agent.ts'
import { FieldReader } from './field-reader.ts'
import { FILE_START, Findings } from './findings.ts'
import type { YamlEntry } from './parse-yaml.ts'
import {
  type DefinitionFile,
  readDefinition,
  readSkillName,
  withoutBlankEdges,
} from './read-definition.ts'
import { WITHOUT_EFFECT } from './parse-skill-file.ts'
import { metadataEntries, ownReader } from './read-metadata.ts'

const FIELDS = ['name', 'description', 'initialSkills', 'skills', 'disallowedTools', 'metadata']

/** The contents of an `AGENT.md`, for `defineAgent`. Null if an error prevents it from loading. */
export interface ParsedAgentFile {
  readonly definition: AgentDefinition | null
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Parses an `AGENT.md`: Carnet's fields (`initialSkills`, `skills`), our own keys in `metadata`, and the
 * base prompt as body. `unlisted` says which skills an agent without a list may activate: all of them,
 * or only its initial ones, as in Carnet.
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
  const disallowedTools = reader.disallowedTools()
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
    ...(disallowedTools && { disallowedTools }),
  }
  if (definition.description === '') {
    findings.add(
      'info',
      'description-missing',
      'The agent has no description.',
      'Add `description:` and say what the agent is for.',
      reader.entry('description')?.node.place ?? FILE_START,
    )
  }
  reader.reportWithoutEffect(WITHOUT_EFFECT)
  reader.reportUnknown(FIELDS)
  return { definition, diagnostics: findings.list }
}

/** The keys that this project adds to agents, as `loadout.<key>` in `metadata`. */
const OWN_AGENT_KEYS = [
  'discovery',
  'display-name',
  'exclusive',
  'mode',
  'pinned',
  'tools',
  'versions',
] as const

/** Reads our own keys from the `metadata` of an agent. */
function ownAgentFields(
  metadata: ReadonlyMap<string, YamlEntry>,
  findings: Findings,
): Omit<AgentDefinition, 'name'> {
  const reader = ownReader(metadata, findings)
  // A list stays absent if it is not given: an empty list of tools does not mean all tools.
  const words = (key: string) => (reader.entry(key) === undefined ? undefined : reader.words(key))
  const own: Omit<AgentDefinition, 'name'> = withoutUndefined({
    displayName: reader.text('display-name'),
    mode: reader.text('mode'),
    exclusive: reader.flag('exclusive'),
    discovery: readDiscovery(reader, findings),
    pinned: words('pinned'),
    tools: words('tools'),
    versions: words('versions'),
  })
  reader.reportUnknown(OWN_AGENT_KEYS)
  return own
}

function readDiscovery(reader: FieldReader, findings: Findings): AgentDefinition['discovery'] {
  const text = reader.text('discovery')
  if (text === undefined || text === 'activate-on-call' || text === 'suggest') return text
  findings.add(
    'warning',
    'field-value',
    `"${text.slice(0, 40)}" is not an action for tools that a search found; it has no effect.`,
    'Write activate-on-call or suggest.',
    reader.entry('discovery')?.node.place,
  )
  return undefined
}
