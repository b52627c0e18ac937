import type { FieldReader } from './field-reader.ts'
import { FILE_START, type Findings } from './findings.ts'
import { firstParagraph } from './first-paragraph.ts'
import { readBoundedText } from './read-bounded-text.ts'

/** Characters, by the open specification. */
const MAX_DESCRIPTION = 1024

/**
 * The description of a skill; the first paragraph of its body when it gives none. Undefined,
 * and an error among the findings, when there is neither.
 */
export function readDescription(
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
