import type { Entry } from '../../engine/model/workspace-event.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { entryHash } from './stored-entry.ts'

/**
 * See that a log still has the entry that was folded last: what comes after it would be folded into
 * the state of another session otherwise. Throws `SESSION_REPLACED`.
 */
export function checkSameSession(
  session: string,
  known: { readonly seq: number; readonly hash: ContentHash },
  found: Entry | undefined,
): void {
  if (found === undefined || entryHash(found) !== known.hash) {
    throw sessionReplaced(session, known.seq)
  }
}

/** The error for a session that is no longer the one that was opened. */
export function sessionReplaced(session: string, seq: number, cause?: unknown): WorkspaceError {
  return new WorkspaceError(
    'SESSION_REPLACED',
    `Session "${session}" is no longer the one that was opened here.`,
    {
      facts: { session, seq },
      hint: 'It was deleted, cut or begun anew meanwhile: close this workspace and open it again.',
      cause,
    },
  )
}

/** A session was asked for an entry that it has not. */
export function unknownEntry(session: string, at: number, entries: number): WorkspaceError {
  return new WorkspaceError('ENTRY_UNKNOWN', `Session "${session}" has no entry ${at}.`, {
    hint: `Its entries are 0 to ${entries - 1}.`,
    facts: { session, at, entries },
  })
}

/** A session is to begin under an id that says nothing. */
export function blankSessionId(): WorkspaceError {
  return new WorkspaceError('SESSION_INVALID', 'A session needs an id that is not blank.', {
    hint: 'Give the id of the conversation, or leave it out for a random one.',
  })
}
