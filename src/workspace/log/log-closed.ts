import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { type KeptIn, nameOfPlace } from './kept-in.ts'

/** The error for a log that is used after it was closed. */
export function logClosed(keptIn: KeptIn): WorkspaceError {
  return new WorkspaceError('LOG_CLOSED', `The log in ${nameOfPlace(keptIn)} was closed.`, {
    facts: { ...keptIn },
    hint: 'Close it when the last workspace on it is done, or open it again.',
  })
}
