import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { FieldReader } from './field-reader.ts'
import { Findings } from './findings.ts'
import { firstParagraph } from './first-paragraph.ts'
import { parseFrontMatter } from './parse-front-matter.ts'
import type { SkillFileText } from './parse-skill-file.ts'
import { usableName } from './skill-name.ts'

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
export function parseToolsetFile({ text, file, folder }: SkillFileText): ParsedToolsetFile {
  const findings = new Findings(file)
  const parsed = parseFrontMatter(text, findings)
  if (parsed === null) return { definition: null, diagnostics: findings.list }
  const reader = new FieldReader(parsed.fields, findings)
  const instructions = parsed.body.trim()
  const given = reader.text('name')
  const name = usableName(given ?? folder) ?? usableName(folder)
  const description = reader.text('description') ?? firstParagraph(instructions)
  const tools = reader.words('tools')
  if (given === undefined) {
    findings.add(
      name === undefined ? 'error' : 'warning',
      'name-missing',
      `The toolset has no name${name === undefined ? '' : `; it goes by its folder's, "${name}"`}.`,
      'Add `name:` to the front matter.',
      { line: 1, column: 1 },
    )
  }
  if (reader.text('description') === undefined) {
    findings.add(
      description === '' ? 'error' : 'warning',
      'description-missing',
      'The toolset has no description.',
      'Add `description:` and say what its tools are for.',
      { line: 1, column: 1 },
    )
  }
  if (tools.length === 0) {
    findings.add(
      'warning',
      'tools-missing',
      'The toolset names no tools.',
      'Add `tools:` with the names of its tools.',
      reader.entry('tools')?.place ?? { line: 1, column: 1 },
    )
  }
  reader.reportUnknown(FIELDS)
  return {
    definition:
      name === undefined || findings.failed ? null : { name, description, instructions, tools },
    diagnostics: findings.list,
  }
}
