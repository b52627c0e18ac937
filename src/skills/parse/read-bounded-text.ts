import type { FieldReader } from './field-reader.ts'
import { FILE_START, type Findings } from './findings.ts'

/** A text field, with a finding when it has more characters than the open specification allows. */
export function readBoundedText(
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
