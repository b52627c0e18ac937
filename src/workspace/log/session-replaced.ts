import type { Entry } from '../../engine/model/event.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { entryHash } from './entry-hash.ts'

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
