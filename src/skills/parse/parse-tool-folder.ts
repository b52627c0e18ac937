import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { withoutUndefined } from '../../kernel/json-value.ts'
import { usableToolName } from '../definition/definition-name.ts'
import { FieldReader } from './field-reader.ts'
import { FILE_START, Findings } from './findings.ts'
import { parseFrontMatter, splitFrontMatter } from './parse-front-matter.ts'
import type { YamlEntry } from './parse-yaml.ts'
import { firstParagraph } from './read-definition.ts'
import { metadataEntries, ownReader } from './read-metadata.ts'
import {
  defineFromSchema,
  readToolSchema,
  TOOL_SCHEMA_FIELDS,
  type ToolSchemaValues,
} from './read-tool-schema.ts'
import type { Tool } from '../../tools/definition/tool.ts'

/** The texts of a tool folder. At least one of `schema` and `tool` is given. */
interface ToolFolderTexts {
  /** The path that findings name: of `schema.json`, or else of `TOOL.md`. */
  readonly file: string
  /** The name of the folder, which should be the tool's name. */
  readonly folder: string
  readonly schema?: string
  /** `TOOL.md`, with its path for findings. */
  readonly tool?: { readonly text: string; readonly file: string }
  /** `doc_summary.md`: two to four lines for prompts. */
  readonly summary?: string
  /** `doc.md`: read on demand. */
  readonly documentation?: string
  /** `guide.md`: documentation whose first paragraph is the summary. */
  readonly guide?: string
  /** The topic of the skill, for a tool that names no topic. */
  readonly topic?: string
}

/** A tool without a handler. Null if an error prevents it from loading. */
export interface ParsedToolFolder {
  readonly tool: Tool | null
  readonly diagnostics: readonly Diagnostic[]
}

/** Makes a tool without a handler from the texts of its folder. */
export function parseToolFolder(texts: ToolFolderTexts): ParsedToolFolder {
  const findings = new Findings(texts.file)
  const inner = new Findings(texts.tool?.file ?? texts.file)
  const described = texts.tool && parseToolFile(texts.tool.text, texts.schema !== undefined, inner)
  findings.include(inner.list)
  const schema = texts.schema === undefined ? {} : readToolSchema(texts.schema, findings)
  const summary = readSummary(texts, findings)
  if (schema === null || described === null) return { tool: null, diagnostics: findings.list }
  const values: ToolSchemaValues = {
    ...(texts.topic !== undefined && { topic: texts.topic }),
    // Without a schema, its arguments and effects are unknown: it is an action and accepts any arguments.
    ...(texts.schema === undefined && ({ category: 'action', parameters: OPEN } as const)),
    ...described?.values,
    ...schema,
  }
  const name = readToolName(values, texts.folder, findings)
  const description = values.description ?? summary
  if (values.description === undefined) {
    findings.add(
      description === '' ? 'error' : 'warning',
      'description-missing',
      description === ''
        ? 'The tool has no description, which a model needs to choose it.'
        : 'The tool has no "description"; its summary is used.',
      'Add "description": say what the tool does and what it returns.',
      FILE_START,
    )
  }
  const documentation = readDocumentation(texts, described?.documentation ?? '', findings)
  const tool =
    findings.failed || name === undefined
      ? null
      : defineFromSchema({ ...values, toolId: name, description }, summary, documentation, findings)
  return { tool, diagnostics: findings.list }
}

/**
 * Parses a `TOOL.md` as in Carnet: name and description as front matter, for fields that `schema.json` does not have,
 * and documentation below. It does not describe arguments. With a schema, the front matter may be missing. Returns null
 * and reports an error if it cannot be read.
 */
function parseToolFile(
  text: string,
  hasSchema: boolean,
  findings: Findings,
): { readonly values: ToolSchemaValues; readonly documentation: string } | null {
  const split = splitFrontMatter(text)
  if (hasSchema && !split.ok && split.reason === 'missing') {
    return { values: {}, documentation: text.replace(/^\uFEFF/, '').trim() }
  }
  const parsed = parseFrontMatter(text, findings)
  if (parsed === null) return null
  const reader = new FieldReader(parsed.fields, findings)
  const named = { toolId: reader.text('name'), description: reader.text('description') }
  const own = ownToolFields(metadataEntries(reader.entry('metadata'), findings), findings)
  reader.reportUnknown(['name', 'description', 'metadata'])
  return { values: withoutUndefined({ ...own, ...named }), documentation: parsed.body.trim() }
}

/** The keys that this project adds to a `TOOL.md`, as `loadout.<key>`, with their fields. */
const OWN_TOOL_KEYS = {
  category: 'category',
  idempotent: 'idempotent',
  modes: 'allowedModes',
  phrases: 'phrases',
  related: 'related',
  'requires-confirmation': 'requiresConfirmation',
  risk: 'risk',
  topic: 'topic',
  version: 'version',
} as const

/** Reads our own keys from the `metadata` of a `TOOL.md`. */
function ownToolFields(
  metadata: ReadonlyMap<string, YamlEntry>,
  findings: Findings,
): ToolSchemaValues {
  const reader = ownReader(metadata, findings)
  const values: Record<string, unknown> = {}
  for (const [key, field] of Object.entries(OWN_TOOL_KEYS)) {
    if (reader.entry(key) === undefined) continue
    const value = readValue(reader, key)
    const checked = TOOL_SCHEMA_FIELDS[field].safeParse(value)
    if (checked.success) values[field] = checked.data
    else if (value !== undefined) {
      findings.add(
        'error',
        'field-kind',
        `The field "loadout.${key}" ${checked.error.issues[0]?.message ?? 'is wrong'}.`,
        'Correct it: without it, the tool could do more than intended.',
        reader.entry(key)?.node.place,
      )
    }
  }
  reader.reportUnknown(Object.keys(OWN_TOOL_KEYS))
  return values
}

function readValue(reader: FieldReader, key: string): unknown {
  switch (key) {
    case 'idempotent':
    case 'requires-confirmation':
      return reader.flag(key)
    case 'modes':
    case 'related':
      return reader.words(key)
    case 'phrases':
      return reader.phrases(key)
  }
  return reader.text(key)
}

const MIN_SUMMARY_LINES = 2

const MAX_SUMMARY_LINES = 4

function readSummary({ summary, guide }: ToolFolderTexts, findings: Findings): string {
  const text = (summary ?? firstParagraph(guide ?? '')).trim()
  if (summary === undefined) return text
  const lines = text === '' ? 0 : text.split(/\r\n|\r|\n/).length
  if (lines > MAX_SUMMARY_LINES) {
    findings.add(
      'warning',
      'summary-too-long',
      `doc_summary.md has more than ${MAX_SUMMARY_LINES} lines, and all of them are in prompts.`,
      'Say in two to four lines what the tool does and when to use it. Move the rest into doc.md.',
    )
  } else if (lines < MIN_SUMMARY_LINES) {
    findings.add(
      'info',
      'summary-short',
      `doc_summary.md has ${lines === 0 ? 'no text' : 'one line'}; ${MIN_SUMMARY_LINES} to ${MAX_SUMMARY_LINES} are expected.`,
      'Say what the tool does, and on another line when to use it.',
    )
  }
  return text
}

const OPEN = { type: 'object', additionalProperties: true }

function readToolName(
  { toolId }: ToolSchemaValues,
  folder: string,
  findings: Findings,
): string | undefined {
  const name = toolId ?? usableToolName(folder)
  if (toolId === undefined) {
    findings.add(
      name === undefined ? 'error' : 'warning',
      'name-missing',
      name === undefined
        ? 'The tool has no name, and the name of its folder cannot be used.'
        : `The tool has no "toolId"; the name of its folder is used, "${name}".`,
      `Add "toolId": "${name ?? 'a_name'}".`,
      FILE_START,
    )
  } else if (toolId !== folder && toolId !== folder.replaceAll('-', '_')) {
    findings.add(
      'warning',
      'name-mismatch',
      `The tool is named "${toolId}" but its folder is "${folder}".`,
      'Give "toolId" and the folder the same name; "_" may be "-" in the folder.',
    )
  }
  return name
}

function readDocumentation(
  { documentation, guide }: ToolFolderTexts,
  described: string,
  findings: Findings,
): string {
  const headings = new Set(readHeadings(documentation ?? ''))
  const missing = SECTIONS.filter(
    (names) => !names.some((name) => headings.has(name.toLowerCase())),
  )
  if (documentation !== undefined && missing.length > 0) {
    const names = missing.map((one) => `"${one.join('" or "')}"`).join(', ')
    findings.add(
      'warning',
      'doc-sections',
      `doc.md lacks the sections ${names}.`,
      'Add them as headings: models look for them.',
    )
  }
  return (documentation ?? guide ?? described).trim()
}

/**
 * The sections that the documentation of a tool must have, each with its possible headings: those of
 * the published tools architecture, and simpler ones.
 */
const SECTIONS: readonly (readonly string[])[] = [
  ['Summary'],
  ['Preconditions', 'When to use'],
  ['Postconditions', 'Returns'],
  ['Failure modes', 'Errors'],
]

/** Returns the headings of a text in small letters. Fenced text is ignored. */
function readHeadings(markdown: string): string[] {
  let fence = ''
  return markdown.split(/\r\n|\r|\n/).flatMap((line) => {
    const mark = line.trimStart().slice(0, 3)
    if (fence !== '') {
      if (mark === fence) fence = ''
      return []
    }
    if (mark === '```' || mark === '~~~') {
      fence = mark
      return []
    }
    if (!line.startsWith('#')) return []
    let level = 0
    while (line[level] === '#') level += 1
    return line[level] === ' ' ? [line.slice(level).trim().toLowerCase()] : []
  })
}
