import { WorkspaceError } from '../../../kernel/workspace-error.ts'

/** PostgreSQL cuts longer names without an error, and has no NUL. Throws `LOG_UNREADABLE`. */
export function checkSchemaName(schema: string): void {
  if (schema !== '' && Buffer.byteLength(schema) <= 63 && !schema.includes('\0')) return
  throw new WorkspaceError('LOG_UNREADABLE', `"${schema}" cannot be the name of a schema.`, {
    facts: { schema },
    hint: 'Give a name of 1 to 63 bytes.',
  })
}
