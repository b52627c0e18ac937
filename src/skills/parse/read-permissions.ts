import type { FieldReader } from './field-reader.ts'
import type { Findings } from './findings.ts'

/** The patterns of `allowed-tools`: a request, which grants nothing. Any form of it is read. */
export function readPermissions(reader: FieldReader, findings: Findings): readonly string[] {
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
