import type { Diagnostic } from '../../kernel/diagnostic.ts'
import type { AgentDefinition } from '../definition/define-agent.ts'
import type { DefinitionText } from './definition-text.ts'
import { FieldReader } from './field-reader.ts'
import { Findings } from './findings.ts'
import { ownAgentFields } from './own-agent-fields.ts'
import { readDefinition } from './read-definition.ts'
import { metadataEntries } from './read-metadata.ts'
import { readSkillName } from './read-skill-name.ts'
import { withoutBlankEdges } from './without-blank-edges.ts'

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
  source: DefinitionText,
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
