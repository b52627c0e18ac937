import type { Diagnostic } from '../../kernel/diagnostic.ts'
import type { SkillDefinition } from '../definition/define-skill.ts'
import { isUsableName, usableToolName } from '../definition/definition-name.ts'
import { FieldReader } from './field-reader.ts'
import { FILE_START, Findings, type Place } from './findings.ts'
import { ownSkillFields } from './own-skill-fields.ts'
import type { YamlEntry, YamlNode } from './parse-yaml.ts'
import {
  type DefinitionFile,
  firstParagraph,
  readDefinition,
  readSkillName,
  withoutBlankEdges,
} from './read-definition.ts'
import { metadataEntries, readMetadata } from './read-metadata.ts'

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
  source: DefinitionFile,
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
  const { topic, ...own } = ownSkillFields(metadata, findings)
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

/** Characters, by the open specification. */
const MAX_DESCRIPTION = 1024

/**
 * The description of a skill; the first paragraph of its body when it gives none. Undefined,
 * and an error among the findings, when there is neither.
 */
function readDescription(
  reader: FieldReader,
  body: string,
  findings: Findings,
): string | undefined {
  const given = readBoundedText(reader, 'description', MAX_DESCRIPTION, findings)
  if (given !== undefined) return given
  const paragraph = firstParagraph(body)
  findings.add(
    paragraph === '' ? 'error' : 'warning',
    'description-missing',
    paragraph === ''
      ? 'The skill has no description, and no text to take one from.'
      : 'The skill has no description; its first paragraph stands in.',
    'Add `description:` and say what the skill does and when to use it.',
    reader.entry('description')?.node.place ?? FILE_START,
  )
  return paragraph === '' ? undefined : paragraph.slice(0, MAX_DESCRIPTION)
}

/** A text field, with a finding when it has more characters than the open specification allows. */
function readBoundedText(
  reader: FieldReader,
  field: string,
  limit: number,
  findings: Findings,
): string | undefined {
  const text = reader.text(field)
  const length = [...(text ?? '')].length
  if (length > limit) {
    findings.add(
      'warning',
      `${field}-too-long`,
      `The ${field} has ${length} characters; the specification allows ${limit}.`,
      'Shorten it; other programs refuse the skill.',
      reader.entry(field)?.node.place ?? FILE_START,
    )
  }
  return text
}

/** The patterns of `allowed-tools`: a request, which grants nothing. Any form of it is read. */
function readPermissions(reader: FieldReader, findings: Findings): readonly string[] {
  const entry = reader.entry('allowed-tools')
  const permissions = reader.permissions('allowed-tools')
  if (
    entry?.node.kind === 'list' ||
    (entry?.node.kind === 'scalar' && hasCommas(permissions, entry.node.text))
  ) {
    findings.add(
      'info',
      'allowed-tools-form',
      'The field "allowed-tools" was read, but its form is not the one of the open specification.',
      `Write it as one text: ${permissions.join(' ')}`,
      entry.place,
    )
  }
  return permissions
}

/** True when the text has more to it than its patterns and the spaces between them. */
function hasCommas(patterns: readonly string[], text: string): boolean {
  return text.includes(',') && !patterns.some((pattern) => pattern.includes(','))
}

/** A file that front matter names, with what it says about it. */
export interface ListedFile {
  readonly path: string
  readonly description: string
  readonly place: Place
}

/** Read a `files` field: a list of paths, or of `path` and `description`. */
function listedFiles(entry: YamlEntry | undefined, findings: Findings): readonly ListedFile[] {
  if (entry === undefined) return []
  const items = entry.node.kind === 'list' ? entry.node.items : [entry.node]
  return items.flatMap((item) => {
    const path = item.kind === 'map' ? scalarText(item.entries.get('path')?.node) : scalarText(item)
    if (path !== '') {
      const described = item.kind === 'map' ? item.entries.get('description')?.node : undefined
      return [{ path: withoutDot(path), description: scalarText(described), place: item.place }]
    }
    findings.add(
      'warning',
      'field-kind',
      'An item of "files" names no path; it has no effect.',
      'Write `- path: references/guide.md` and, below it, a description.',
      item.place,
    )
    return []
  })
}

function scalarText(node: YamlNode | undefined): string {
  return node?.kind === 'scalar' ? node.text.trim() : ''
}

function withoutDot(path: string): string {
  return path.startsWith('./') ? path.slice(2) : path
}
