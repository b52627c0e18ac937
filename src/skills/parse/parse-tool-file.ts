import { FieldReader } from './field-reader.ts'
import type { Findings } from './findings.ts'
import { ownToolFields } from './own-tool-fields.ts'
import { parseFrontMatter } from './parse-front-matter.ts'
import { metadataEntries } from './read-metadata.ts'
import type { ToolSchemaValues } from './tool-schema-fields.ts'

/** What a `TOOL.md` says of a tool: the fields that a `schema.json` does not give, and its documentation. */
interface ParsedToolFile {
  readonly values: ToolSchemaValues
  readonly documentation: string
}

/**
 * Read a `TOOL.md`, as Carnet has them: name and description as front matter, below it what is to
 * be known about the tool. It knows nothing of arguments. Null, and an error, when it cannot be read.
 */
export function parseToolFile(text: string, findings: Findings): ParsedToolFile | null {
  const parsed = parseFrontMatter(text, findings)
  if (parsed === null) return null
  const reader = new FieldReader(parsed.fields, findings)
  const name = reader.text('name')
  const description = reader.text('description')
  const own = ownToolFields(metadataEntries(reader.entry('metadata'), findings), findings)
  reader.reportUnknown(['name', 'description', 'metadata'])
  return {
    values: {
      ...own,
      ...(name !== undefined && { toolId: name }),
      ...(description !== undefined && { description }),
    },
    documentation: parsed.body.trim(),
  }
}
