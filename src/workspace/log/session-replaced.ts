import { WorkspaceError } from '../../kernel/workspace-error.ts'

/** The error for a session that is no longer the one that was opened. */
export function sessionReplaced(session: string, seq: number, cause?: unknown): WorkspaceError {
  return new WorkspaceError(
    'SESSION_REPLACED',
    `Session "${session}" is no longer the one that was opened here.`,
    {
      facts: { session, seq },
      hint: 'It was deleted, cut or replaced meanwhile: close this workspace and open it again.',
      cause,
    },
  )
}

/** The error for a session that is not in the log. */
export function unknownSession(session: string, hint: string): WorkspaceError {
  return new WorkspaceError('SESSION_UNKNOWN', `The log has no session "${session}".`, {
    hint,
    facts: { session },
  })
}

/** The error for a new session whose id is taken. */
export function sessionKnown(session: string, hint: string, cause?: unknown): WorkspaceError {
  return new WorkspaceError('SESSION_KNOWN', `The log already has a session "${session}".`, {
    hint,
    facts: { session },
    cause,
  })
}

/** The error for an entry that a session does not have. A replay knows no session id. */
export function unknownEntry(
  session: string | undefined,
  at: number,
  entries: number,
): WorkspaceError {
  const name = session === undefined ? 'The session' : `Session "${session}"`
  return new WorkspaceError('ENTRY_UNKNOWN', `${name} has no entry ${at}.`, {
    hint: entries === 0 ? 'It has no entries.' : `Its entries are 0 to ${entries - 1}.`,
    facts: { ...(session !== undefined && { session }), at, entries },
  })
}

/** The error for a new session whose id is blank. */
export function blankSessionId(): WorkspaceError {
  return new WorkspaceError('SESSION_INVALID', 'A session needs an id that is not blank.', {
    hint: 'Give the id of the conversation, or leave it out for a random one.',
  })
}
