import type { Diagnostic } from '../../kernel/diagnostic.ts'
import type { SkillDefinition } from '../skill-definition.ts'
import { FieldReader } from './field-reader.ts'
import { Findings, type Place } from './findings.ts'
import { firstParagraph } from './first-paragraph.ts'
import { listedFiles, type ListedFile } from './listed-files.ts'
import { ownFields } from './own-fields.ts'
import { parseFrontMatter } from './parse-front-matter.ts'
import { readMetadata } from './read-metadata.ts'
import { isPortableName, isUsableName, usableName } from './skill-name.ts'
import type { YamlEntry } from './yaml-node.ts'

/** Characters, by the open specification. */
const MAX_DESCRIPTION = 1024
const MAX_COMPATIBILITY = 500

const FIELDS = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools']

/** A `SKILL.md` and where it stands. */
export interface SkillFileText {
  readonly text: string
  /** The path that findings name. */
  readonly file: string
  /** The name of the folder it is in, which should be the skill's name. */
  readonly folder: string
}

/** What a `SKILL.md` says, for `defineSkill`; null when an error keeps it from loading. */
export interface ParsedSkillFile {
  readonly definition: SkillDefinition | null
  /** Files its front matter describes, to be matched with those that are there. */
  readonly listed: readonly ListedFile[]
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Read a `SKILL.md` leniently, by the open Agent Skills specification, Carnet's additions
 * (`toolsets`, `files`) and our own keys in `metadata`. What the specification would refuse and
 * can still be understood is read with a finding; nothing is dropped without one.
 */
export function parseSkillFile({ text, file, folder }: SkillFileText): ParsedSkillFile {
  const findings = new Findings(file)
  const nothing = (): ParsedSkillFile => ({
    definition: null,
    listed: [],
    diagnostics: findings.list,
  })
  const parsed = parseFrontMatter(text, findings)
  if (parsed === null) return nothing()
  const reader = new FieldReader(parsed.fields, findings)
  const body = withoutBlankEdges(parsed.body)
  const name = readName(reader, folder, findings)
  const description = readDescription(reader, body, findings)
  if (name === undefined || description === undefined) return nothing()
  const metadata = metadataOf(reader.entry('metadata'), findings)
  const own = ownFields(metadata, findings)
  const texts = readMetadata(metadata, findings)
  const license = reader.text('license')
  const compatibility = readCompatibility(reader, findings)
  const version = own.version ?? reader.text('version') ?? texts['version']
  const definition: SkillDefinition = {
    ...own,
    name,
    description,
    workDirection: body,
    metadata: texts,
    toolsets: [...new Set([...(own.toolsets ?? []), ...carnetToolsets(reader, findings)])],
    permissions: readPermissions(reader, findings),
    ...(own.displayName === undefined && displayNameFor(reader.text('name'), name)),
    ...(version !== undefined && { version }),
    ...(license !== undefined && { license }),
    ...(compatibility !== undefined && { compatibility }),
  }
  const listed = listedFiles(reader.entry('files'), findings)
  reader.reportUnknown(FIELDS)
  return { definition, listed, diagnostics: findings.list }
}

function readName(reader: FieldReader, folder: string, findings: Findings): string | undefined {
  const given = reader.text('name')
  const place = reader.entry('name')?.node.place ?? START
  const name = usableName(given ?? folder) ?? usableName(folder)
  if (name === undefined) {
    findings.add(
      'error',
      'name-missing',
      'The skill has no name, and its folder has none that could be used.',
      'Add `name:` with lower-case letters, digits and hyphens.',
      place,
    )
    return undefined
  }
  if (given === undefined) {
    findings.add(
      'warning',
      'name-missing',
      `The skill has no name; it goes by its folder's, "${name}".`,
      `Add \`name: ${name}\` to the front matter.`,
      place,
    )
    return name
  }
  if (!isPortableName(given)) {
    findings.add(
      'warning',
      'name-invalid',
      isUsableName(given)
        ? `The name "${given}" is not one that every program accepts.`
        : `The name "${given.slice(0, 100)}" cannot be used; the skill goes by "${name}".`,
      'Use 1 to 64 lower-case letters, digits and single hyphens.',
      place,
    )
  }
  if (given.normalize('NFKC') !== folder.normalize('NFKC')) {
    findings.add(
      'warning',
      'name-mismatch',
      `The skill is named "${given.slice(0, 100)}" but its folder is "${folder}".`,
      'Give the folder and the skill the same name.',
      place,
    )
  }
  return name
}

function readDescription(reader: FieldReader, body: string, findings: Findings) {
  const given = reader.text('description')
  const place = reader.entry('description')?.node.place ?? START
  if (given === undefined) {
    const paragraph = firstParagraph(body)
    if (paragraph === '') {
      findings.add(
        'error',
        'description-missing',
        'The skill has no description, and no text to take one from.',
        'Add `description:` and say what the skill does and when to use it.',
        place,
      )
      return undefined
    }
    findings.add(
      'warning',
      'description-missing',
      'The skill has no description; its first paragraph stands in.',
      'Add `description:` and say what the skill does and when to use it.',
      place,
    )
    return paragraph.slice(0, MAX_DESCRIPTION)
  }
  reportLength(given, MAX_DESCRIPTION, 'description', place, findings)
  return given
}

function readCompatibility(reader: FieldReader, findings: Findings): string | undefined {
  const given = reader.text('compatibility')
  const place = reader.entry('compatibility')?.node.place ?? START
  if (given !== undefined) {
    reportLength(given, MAX_COMPATIBILITY, 'compatibility', place, findings)
  }
  return given
}

function reportLength(text: string, limit: number, field: string, at: Place, findings: Findings) {
  const length = [...text].length
  if (length <= limit) return
  findings.add(
    'warning',
    `${field}-too-long`,
    `The ${field} has ${length} characters; the specification allows ${limit}.`,
    'Shorten it; other programs refuse the skill.',
    at,
  )
}

function metadataOf(
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
    'Write one indented `key: value` a line below "metadata:".',
    entry.node.place,
  )
  return new Map()
}

function carnetToolsets(reader: FieldReader, findings: Findings): readonly string[] {
  const entry = reader.entry('toolsets')
  for (const [field, at] of [
    ['toolsets', entry] as const,
    ['files', reader.entry('files')] as const,
  ]) {
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
  return reader.words('toolsets')
}

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

/** A name that had to be changed is still what people read. */
function displayNameFor(given: string | undefined, name: string) {
  return given !== undefined && given !== name && !isUsableName(given) && given.length <= 100
    ? { displayName: given }
    : {}
}

function withoutBlankEdges(text: string): string {
  return text.replace(/^(?:[ \t]*(?:\r\n|\r|\n))+/, '').trimEnd()
}

const START: Place = { line: 1, column: 1 }
