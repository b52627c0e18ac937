import type { Diagnostic } from '../../kernel/diagnostic.ts'
import type { DefinitionText } from './definition-text.ts'
import { FieldReader } from './field-reader.ts'
import { FILE_START, Findings } from './findings.ts'
import { firstParagraph } from './first-paragraph.ts'
import { readDefinition } from './read-definition.ts'
import { usableToolName } from '../definition/usable-tool-name.ts'

const FIELDS = ['name', 'description', 'tools']

/** What a `TOOLSET.md` says, for `defineToolset`; null when an error keeps it from loading. */
interface ParsedToolsetFile {
  readonly definition: {
    readonly name: string
    readonly description: string
    readonly instructions: string
    readonly tools: readonly string[]
  } | null
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Read a `TOOLSET.md`: name, description and the names of its tools as front matter, and below
 * it what a model reads when it loads the toolset.
 */
export function parseToolsetFile(source: DefinitionText): ParsedToolsetFile {
  const findings = new Findings(source.file)
  const parsed = readDefinition(source, findings)
  if (parsed === null) return { definition: null, diagnostics: findings.list }
  const reader = new FieldReader(parsed.fields, findings)
  const instructions = parsed.body.trim()
  const name = readName(reader, source.folder, findings)
  const description = reader.text('description') ?? firstParagraph(instructions)
  const tools = reader.words('tools')
  if (reader.text('description') === undefined) {
    findings.add(
      description === '' ? 'error' : 'warning',
      'description-missing',
      'The toolset has no description.',
      'Add `description:` and say what its tools are for.',
      FILE_START,
    )
  }
  if (tools.length === 0) {
    findings.add(
      'warning',
      'tools-missing',
      'The toolset names no tools.',
      'Add `tools:` with the names of its tools.',
      reader.entry('tools')?.place ?? FILE_START,
    )
  }
  reader.reportUnknown(FIELDS)
  return {
    definition:
      name === undefined || findings.failed ? null : { name, description, instructions, tools },
    diagnostics: findings.list,
  }
}

/** The name the toolset goes by; undefined, and an error, when there is none that can be used. */
function readName(reader: FieldReader, folder: string, findings: Findings): string | undefined {
  const given = reader.text('name')
  const place = reader.entry('name')?.node.place ?? FILE_START
  const name = usableToolName(given ?? folder) ?? usableToolName(folder)
  if (given === undefined || name === undefined) {
    findings.add(
      name === undefined ? 'error' : 'warning',
      'name-missing',
      name === undefined
        ? 'The toolset has no name that can be used, and neither has its folder.'
        : `The toolset has no name; it goes by its folder's, "${name}".`,
      'Add `name:` with letters, digits, "_", "-" or ".".',
      place,
    )
  } else if (given !== name) {
    findings.add(
      'warning',
      'name-invalid',
      `The name "${given.slice(0, 100)}" cannot be used; the toolset goes by "${name}".`,
      'Use 1 to 128 letters, digits, "_", "-" or ".".',
      place,
    )
  }
  return name
}
