import { WorkspaceError } from '../../kernel/workspace-error.ts'

/** A session is to begin under an id that says nothing. */
export function namelessSession(): WorkspaceError {
  return new WorkspaceError('SESSION_INVALID', 'A session needs an id that is not blank.', {
    hint: 'Give the id of the conversation, or leave it out for a random one.',
  })
}
