import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { Entry } from '../../engine/event.ts'
import { entryHash } from './entry-hash.ts'

/** One append, and how many entries the log holds at this moment. */
export interface AppendCheck {
  readonly session: string
  readonly expected: number
  readonly found: number
  readonly entries: readonly Entry[]
}

/**
 * What every event log checks before it takes entries: that they follow what it holds.
 * Throws `LOG_CONFLICT` when somebody else was first, `LOG_SEQUENCE` when the entries' own
 * numbers do not continue the log.
 */
export function checkAppend({ session, expected, found, entries }: AppendCheck): void {
  if (expected !== found) throw conflict(session, expected, found)
  const wrong = entries.findIndex(({ seq }, index) => seq !== expected + index)
  if (wrong === -1) return
  const next = expected + wrong
  throw new WorkspaceError(
    'LOG_SEQUENCE',
    `Session "${session}" goes on with entry ${next}, not with entry ${entries[wrong]?.seq}.`,
    {
      facts: { session, expected: next, found: entries[wrong]?.seq },
      hint: 'Number entries from the version the append expects, without gaps.',
    },
  )
}

/** The same of the entry before them: of those the caller knows and the log has, by their hashes. */
export function checkFollows(
  session: string,
  after: Entry | undefined,
  last: () => string | undefined,
): void {
  if (after !== undefined && entryHash(after) !== last()) {
    throw conflict(session, after.seq + 1, after.seq + 1)
  }
}

function conflict(session: string, expected: number, found: number): WorkspaceError {
  return new WorkspaceError('LOG_CONFLICT', `Session "${session}" has moved on.`, {
    facts: { session, expected, found },
    hint: 'Read what was appended, and decide again.',
  })
}
