import { WorkspaceError } from '../../kernel/workspace-error.ts'

export function workspaceClosed(): WorkspaceError {
  return new WorkspaceError('WORKSPACE_CLOSED', 'This workspace is closed.', {
    hint: 'Open the session again.',
  })
}
