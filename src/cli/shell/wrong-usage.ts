import { WorkspaceError } from '../../kernel/workspace-error.ts'

/** The error of a command line that cannot be meant: exit code 2. */
export function wrongUsage(message: string, hint: string): WorkspaceError {
  return new WorkspaceError('WRONG_USAGE', message, { hint })
}
