import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { withoutUndefined } from '../../kernel/json-value.ts'
import type { SkillDefinition } from '../definition/define-skill.ts'
import { isUsableName, usableName, usableToolName } from '../definition/definition-name.ts'
import { SPECIFICATION_LIMITS } from './check-specification.ts'
import { FieldReader } from './field-reader.ts'
import { FILE_START, Findings, type Place } from './findings.ts'
import { habitHint, ownSkillFields } from './own-skill-fields.ts'
import type { YamlEntry, YamlNode } from './parse-yaml.ts'
import {
  type DefinitionFile,
  firstParagraph,
  readDefinition,
  readSkillName,
  withoutBlankEdges,
} from './read-definition.ts'
import { metadataEntries, readMetadata } from './read-metadata.ts'

const FIELDS = [
  'name',
  'description',
  'license',
  'compatibility',
  'metadata',
  'allowed-tools',
  'disallowed-tools',
  'arguments',
  'context',
  'agent',
  'disable-model-invocation',
  'paths',
  'user-invocable',
  'when_to_use',
]

/** Fields of clients about what a host decides here, for skills and agents, each with who decides. */
export const WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  'argument-hint': 'nothing here shows it to the person who types the arguments',
  model: 'the host chooses the model',
  effort: 'the host chooses how much the model thinks',
  hooks:
    'hooks are code of the host (onActivate and onDeactivate of defineSkill, rules with functions)',
}

/** Fields that only count together. */
const WITHOUT_FORK = {
  context: 'only "context: fork" has one, and runs the skill in a subagent',
  agent: 'only a skill with "context: fork" has an agent',
}

/** Reads the terms of a subagent; undefined for a skill that is loaded into the conversation. */
function readFork(reader: FieldReader): SkillDefinition['fork'] {
  if (reader.text('context') !== 'fork') return undefined
  const agent = reader.text('agent')
  return withoutUndefined({
    agent: agent === undefined ? undefined : (usableName(agent) ?? agent),
    model: reader.text('model'),
    effort: reader.text('effort'),
  })
}

/** The contents of a `SKILL.md`, for `defineSkill`. Null if an error prevents it from loading. */
export interface ParsedSkillFile {
  readonly definition: SkillDefinition | null
  /** Files that the front matter describes, to be matched with existing files. */
  readonly listed: readonly ListedFile[]
  /** The topic of its own tools that name no topic. */
  readonly topic?: string
  readonly diagnostics: readonly Diagnostic[]
}

/** A file in the front matter, with its description. */
export interface ListedFile {
  readonly path: string
  readonly description: string
  readonly place: Place
}

/**
 * Parses a `SKILL.md` leniently: the open Agent Skills specification, Carnet's additions (`toolsets`,
 * `files`) and our own keys in `metadata`. Input that the specification refuses is read if possible, with
 * a finding, and is never dropped without one. With `format` set to `carnet`, Carnet's additions and its
 * less strict names are not reported.
 */
export function parseSkillFile(
  source: DefinitionFile,
  format: 'open' | 'carnet' = 'open',
): ParsedSkillFile {
  const findings = new Findings(source.file)
  const nothing = { definition: null, listed: [] }
  const parsed = readDefinition(source, findings)
  if (parsed === null) return { ...nothing, diagnostics: findings.list }
  const reader = new FieldReader(parsed.fields, findings)
  const body = withoutBlankEdges(parsed.body)
  const name = readSkillName(
    reader,
    source.folder,
    findings,
    format === 'open' ? 'skill' : 'Carnet skill',
  )
  const description = readDescription(reader, body, findings)
  if (name === undefined || description === undefined) {
    return { ...nothing, diagnostics: findings.list }
  }
  const metadata = metadataEntries(reader.entry('metadata'), findings)
  const { topic, ...own } = ownSkillFields(metadata, findings)
  const texts = readMetadata(metadata, findings)
  const whenToUse = own.whenToUse ?? reader.text('when_to_use')
  const permissions = readPermissions(reader, findings)
  const permissionsAt = permissions.length === 0 ? undefined : reader.entry('allowed-tools')
  const fork = readFork(reader)
  const definition: SkillDefinition = withoutUndefined({
    ...own,
    name,
    description,
    instructions: body,
    metadata: texts,
    toolsets: [
      ...new Set([
        ...(own.toolsets ?? []),
        // The usable form of its name, under which a toolset is defined.
        ...reader.words('toolsets').map((one) => usableToolName(one) ?? one),
      ]),
    ],
    permissions,
    permissionsLine: permissionsAt?.place.line,
    disallowedTools: reader.disallowedTools(),
    // Others than names, such as numbers, mean nothing in a text.
    arguments: reader.words('arguments').filter((name) => /^[A-Za-z_][\w-]*$/.test(name)),
    displayName: own.displayName ?? unusableName(reader.text('name'), name),
    version: own.version ?? reader.text('version') ?? texts['version'],
    whenToUse,
    disableModelInvocation: reader.flag('disable-model-invocation'),
    paths: withoutAll(reader.globs('paths')),
    userInvocable: reader.flag('user-invocable'),
    fork,
    license: reader.text('license'),
    compatibility: readBoundedText(reader, 'compatibility', findings),
  })
  if (format === 'open') reportCarnetFields(reader, findings)
  const listed = listedFiles(reader.entry('files'), findings)
  const { model: _, effort: __, ...others } = WITHOUT_EFFECT
  reader.reportWithoutEffect(fork === undefined ? { ...WITHOUT_EFFECT, ...WITHOUT_FORK } : others)
  reader.reportUnknown(FIELDS, habitHint)
  return withoutUndefined({ definition, listed, topic, diagnostics: findings.list })
}

/** Returns a name that cannot be used, which is kept as the display name. */
function unusableName(given = '', name: string): string | undefined {
  return given !== name && !isUsableName(given) && given.length <= 100 ? given : undefined
}

/**
 * Reads the description of a skill, or else the first paragraph of its body. Returns undefined and reports
 * an error if there is neither.
 */
function readDescription(
  reader: FieldReader,
  body: string,
  findings: Findings,
): string | undefined {
  const given = readBoundedText(reader, 'description', findings)
  if (given !== undefined) return given
  const paragraph = firstParagraph(body)
  findings.add(
    paragraph === '' ? 'error' : 'warning',
    'description-missing',
    paragraph === ''
      ? 'The skill has no description, and no paragraph to use instead.'
      : 'The skill has no description; its first paragraph is used.',
    'Add `description:` and say what the skill does and when to use it.',
    reader.entry('description')?.node.place ?? FILE_START,
  )
  return paragraph === '' ? undefined : paragraph.slice(0, SPECIFICATION_LIMITS.description)
}

/** Reads a text field. Reports a finding if it is longer than the open specification allows. */
function readBoundedText(
  reader: FieldReader,
  field: 'description' | 'compatibility',
  findings: Findings,
): string | undefined {
  const text = reader.text(field)
  const length = [...(text ?? '')].length
  const limit = SPECIFICATION_LIMITS[field]
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

/** Reads the patterns of `allowed-tools` in any form. They are a request and grant nothing. */
function readPermissions(reader: FieldReader, findings: Findings): readonly string[] {
  const entry = reader.entry('allowed-tools')
  const permissions = reader.permissions('allowed-tools')
  const isSeparatedByCommas =
    entry?.node.kind === 'scalar' &&
    entry.node.text.includes(',') &&
    !permissions.some((pattern) => pattern.includes(','))
  if (entry?.node.kind === 'list' || (entry && isSeparatedByCommas)) {
    findings.add(
      'info',
      'allowed-tools-form',
      'The field "allowed-tools" was read, but does not have the form of the open specification.',
      `Write it as one text: ${permissions.join(' ')}`,
      entry.place,
    )
  }
  return permissions
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
        ? 'For all programs, write `loadout.toolsets: "name name"` in `metadata:`.'
        : 'Files are found without it; the field only adds their descriptions.',
      at.place,
    )
  }
}

/** Patterns that mean all files hide nothing, as in Claude Code. */
function withoutAll(paths: readonly string[]): readonly string[] {
  return paths.every((one) => /^(?:\*\*)?(?:\/\*\*)?$/.test(one)) ? [] : paths
}

/** Reads a `files` field: a list of paths, or of `path` and `description`. */
function listedFiles(entry: YamlEntry | undefined, findings: Findings): readonly ListedFile[] {
  if (entry === undefined) return []
  const items = entry.node.kind === 'list' ? entry.node.items : [entry.node]
  return items.flatMap((item) => {
    const path = item.kind === 'map' ? scalarText(item.entries.get('path')?.node) : scalarText(item)
    if (path !== '') {
      const described = item.kind === 'map' ? item.entries.get('description')?.node : undefined
      const relative = path.startsWith('./') ? path.slice(2) : path
      return [{ path: relative, description: scalarText(described), place: item.place }]
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
