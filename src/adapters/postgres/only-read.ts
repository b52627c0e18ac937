import { WorkspaceError } from '../../kernel/workspace-error.ts'

/** The error for a change to a log that was opened to be looked at. */
export function onlyRead(place: string): WorkspaceError {
  return new WorkspaceError('LOG_WRITE_FAILED', `The log in ${place} was opened to be read.`, {
    facts: { place, reason: 'readOnly' },
    hint: 'Open it without `readOnly`.',
  })
}
