import type { Diagnostic } from '../../kernel/diagnostic.ts'
import type { SkillDefinition } from '../definition/skill-definition.ts'
import type { DefinitionText } from './definition-text.ts'
import { FieldReader } from './field-reader.ts'
import { Findings } from './findings.ts'
import { listedFiles, type ListedFile } from './listed-files.ts'
import { ownFields } from './own-skill-fields.ts'
import { readBoundedText } from './read-bounded-text.ts'
import { readDefinition } from './read-definition.ts'
import { readDescription } from './read-description.ts'
import { metadataEntries, readMetadata } from './read-metadata.ts'
import { readPermissions } from './read-permissions.ts'
import { readSkillName } from './read-skill-name.ts'
import { isUsableName } from '../definition/skill-name.ts'
import { usableToolName } from '../definition/usable-tool-name.ts'
import { withoutBlankEdges } from './without-blank-edges.ts'

/** Characters, by the open specification. */
const MAX_COMPATIBILITY = 500

const FIELDS = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools']

/** What a `SKILL.md` says, for `defineSkill`; null when an error keeps it from loading. */
interface ParsedSkillFile {
  readonly definition: SkillDefinition | null
  /** Files its front matter describes, to be matched with those that are there. */
  readonly listed: readonly ListedFile[]
  /** The topic of those of its own tools that name none. */
  readonly topic?: string
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Read a `SKILL.md` leniently, by the open Agent Skills specification, Carnet's additions
 * (`toolsets`, `files`) and our own keys in `metadata`. What the specification would refuse and
 * can still be understood is read with a finding; nothing is dropped without one. In a Carnet project
 * (`format`) its additions and its freer names are as they should be.
 */
export function parseSkillFile(
  source: DefinitionText,
  format: 'open' | 'carnet' = 'open',
): ParsedSkillFile {
  const findings = new Findings(source.file)
  const nothing = (): ParsedSkillFile => ({
    definition: null,
    listed: [],
    diagnostics: findings.list,
  })
  const parsed = readDefinition(source, findings)
  if (parsed === null) return nothing()
  const reader = new FieldReader(parsed.fields, findings)
  const body = withoutBlankEdges(parsed.body)
  const name = readSkillName(
    reader,
    source.folder,
    findings,
    format === 'open' ? 'skill' : 'Carnet skill',
  )
  const description = readDescription(reader, body, findings)
  if (name === undefined || description === undefined) return nothing()
  const metadata = metadataEntries(reader.entry('metadata'), findings)
  const { topic, ...own } = ownFields(metadata, findings)
  const texts = readMetadata(metadata, findings)
  const license = reader.text('license')
  const compatibility = readBoundedText(reader, 'compatibility', MAX_COMPATIBILITY, findings)
  const version = own.version ?? reader.text('version') ?? texts['version']
  const definition: SkillDefinition = {
    ...own,
    name,
    description,
    workDirection: body,
    metadata: texts,
    toolsets: [
      ...new Set([...(own.toolsets ?? []), ...reader.words('toolsets').map(toolsetNamed)]),
    ],
    permissions: readPermissions(reader, findings),
    ...(own.displayName === undefined && displayNameFor(reader.text('name'), name)),
    ...(version !== undefined && { version }),
    ...(license !== undefined && { license }),
    ...(compatibility !== undefined && { compatibility }),
  }
  if (format === 'open') reportCarnetFields(reader, findings)
  const listed = listedFiles(reader.entry('files'), findings)
  reader.reportUnknown(FIELDS)
  return {
    definition,
    listed,
    ...(topic !== undefined && { topic }),
    diagnostics: findings.list,
  }
}

/** A toolset goes by a name that can be used, so it is meant by that. */
function toolsetNamed(name: string): string {
  return usableToolName(name) ?? name
}

function reportCarnetFields(reader: FieldReader, findings: Findings): void {
  for (const field of ['toolsets', 'files'] as const) {
    const at = reader.entry(field)
    if (at === undefined) continue
    findings.add(
      'info',
      'field-not-portable',
      `The field "${field}" is read, but the open specification does not have it.`,
      field === 'toolsets'
        ? 'For every program: `metadata:` with `loadout.toolsets: "name name"`.'
        : 'Files are found by themselves; the field only adds their descriptions.',
      at.place,
    )
  }
}

/** A name that had to be changed is still what people read. */
function displayNameFor(given: string | undefined, name: string) {
  return given !== undefined && given !== name && !isUsableName(given) && given.length <= 100
    ? { displayName: given }
    : {}
}
