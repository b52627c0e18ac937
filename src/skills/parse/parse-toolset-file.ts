import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { usableToolName } from '../definition/definition-name.ts'
import { FieldReader } from './field-reader.ts'
import { FILE_START, Findings } from './findings.ts'
import { parseFrontMatter, splitFrontMatter } from './parse-front-matter.ts'
import { type DefinitionFile, firstParagraph, readDefinition } from './read-definition.ts'
import { defineRules, type TopicRules } from '../../tools/define-rules.ts'

const FIELDS = ['name', 'description', 'tools', 'servers']

/** The contents of a `TOOLSET.md`, for `defineToolset`. Null if an error prevents it from loading. */
export interface ParsedToolsetFile {
  readonly definition: {
    readonly name: string
    readonly description: string
    readonly instructions: string
    readonly tools: readonly string[]
    readonly servers: readonly string[]
  } | null
  /** The tools that the file describes itself, with name and description, as in Carnet 0.3.1. */
  readonly described: readonly { readonly name: string; readonly description: string }[]
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Parses a `TOOLSET.md`: name, description and its tools as front matter, by name or described inline, and below it the
 * text that a model reads when it loads the toolset.
 *
 * @param nextTo the names of the servers in the file next to it
 */
export function parseToolsetFile(
  source: DefinitionFile,
  nextTo: readonly string[] = [],
): ParsedToolsetFile {
  const findings = new Findings(source.file)
  const parsed = readDefinition(source, findings)
  if (parsed === null) return { definition: null, described: [], diagnostics: findings.list }
  const reader = new FieldReader(parsed.fields, findings)
  const instructions = parsed.body.trim()
  const name = readName(reader, source.folder, findings)
  const description = reader.text('description') ?? firstParagraph(instructions)
  const described = reader.described('tools')
  const tools = described.length > 0 ? described.map((tool) => tool.name) : reader.words('tools')
  if (reader.text('description') === undefined) {
    findings.add(
      description === '' ? 'error' : 'warning',
      'description-missing',
      'The toolset has no description.',
      'Add `description:` and say what its tools are for.',
      FILE_START,
    )
  }
  const servers = [...new Set([...nextTo, ...reader.words('servers')])]
  if (tools.length === 0 && servers.length === 0) {
    findings.add(
      'warning',
      'tools-missing',
      'The toolset names no tools.',
      'Add `tools:` with the names of its tools, or `servers:`.',
      reader.entry('tools')?.place ?? FILE_START,
    )
  }
  reader.reportUnknown(FIELDS)
  return {
    definition:
      name === undefined || findings.failed
        ? null
        : { name, description, instructions, tools, servers },
    described,
    diagnostics: findings.list,
  }
}

/** Reads the name of a toolset. Returns undefined and reports an error if no name can be used. */
function readName(reader: FieldReader, folder: string, findings: Findings): string | undefined {
  const given = reader.text('name')
  const place = reader.entry('name')?.node.place ?? FILE_START
  const name = usableToolName(given ?? folder) ?? usableToolName(folder)
  if (given === undefined || name === undefined) {
    findings.add(
      name === undefined ? 'error' : 'warning',
      'name-missing',
      name === undefined
        ? 'Neither the name of the toolset nor the name of its folder can be used.'
        : `The toolset has no name; the name of its folder is used, "${name}".`,
      'Add `name:` with letters, digits, "_", "-" or ".".',
      place,
    )
  } else if (given !== name) {
    findings.add(
      'warning',
      'name-invalid',
      `The name "${given.slice(0, 100)}" cannot be used; the toolset is named "${name}".`,
      'Use 1 to 128 letters, digits, "_", "-" or ".".',
      place,
    )
  }
  return name
}

/** The rules of a topic. Null if an error prevents them from loading. */
export interface ParsedRulesFile {
  readonly rules: TopicRules | null
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Parses the rules of a topic: plain Markdown. The topic is the `topic` field of the front matter, if
 * there is one, or else `named`: the name of the file without its extension.
 */
export function parseRulesFile({ text, file }: DefinitionFile, named: string): ParsedRulesFile {
  const findings = new Findings(file)
  const split = splitFrontMatter(text)
  const plain = !split.ok && split.reason === 'missing'
  const parsed = plain
    ? { fields: new Map(), body: text.startsWith('\uFEFF') ? text.slice(1) : text }
    : parseFrontMatter(text, findings)
  if (parsed === null) return { rules: null, diagnostics: findings.list }
  const reader = new FieldReader(parsed.fields, findings)
  const topic = reader.text('topic') ?? named
  reader.reportUnknown(['topic'])
  const body = parsed.body.trim()
  if (body === '') {
    findings.add(
      'error',
      'rules-empty',
      `The rules of the topic "${topic}" have no text.`,
      'Write in Markdown how to use the tools of the topic, or remove the file.',
      { line: 1, column: 1 },
    )
    return { rules: null, diagnostics: findings.list }
  }
  return { rules: defineRules({ topic, text: body, path: file }), diagnostics: findings.list }
}
