import { WorkspaceError } from '../../kernel/workspace-error.ts'

/** A session was asked for an entry that it has not. */
export function unknownEntry(session: string, at: number, entries: number): WorkspaceError {
  return new WorkspaceError('ENTRY_UNKNOWN', `Session "${session}" has no entry ${at}.`, {
    hint: `Its entries are 0 to ${entries - 1}.`,
    facts: { session, at, entries },
  })
}
