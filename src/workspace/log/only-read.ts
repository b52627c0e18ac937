import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { type KeptIn, nameOfPlace } from './kept-in.ts'

/** The error for a change to a log that was opened to be looked at. */
export function onlyRead(keptIn: KeptIn): WorkspaceError {
  return new WorkspaceError(
    'LOG_WRITE_FAILED',
    `The log in ${nameOfPlace(keptIn)} was opened to be read.`,
    { facts: { ...keptIn, reason: 'readOnly' }, hint: 'Open it without `readOnly`.' },
  )
}
