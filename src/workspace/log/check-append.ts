import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { Entry } from '../../engine/model/event.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'

/** One append, and how many entries the log holds at this moment. */
export interface AppendCheck {
  readonly session: string
  readonly expected: number
  readonly found: number
  readonly entries: readonly Entry[]
}

/**
 * What every event log checks before it takes entries: that they follow what it holds, and that it can
 * give them back. Throws `LOG_CONFLICT` when somebody else was first, `LOG_SEQUENCE` when the entries'
 * own numbers do not continue the log, `LOG_NOT_AN_ENTRY` when one has no time, as JSON has it.
 */
export function checkAppend({ session, expected, found, entries }: AppendCheck): void {
  if (expected !== found) throw conflict(session, expected, found)
  const timeless = entries.find(({ at }) => !Number.isFinite(at))
  if (timeless !== undefined) throw notAnEntry(session, timeless.seq)
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

/** The same of the entry before them: the hash of the one the caller knows, and of the one the log has. */
export function checkFollows(
  session: string,
  expected: number,
  after: ContentHash | undefined,
  last: () => ContentHash | undefined,
): void {
  if (after !== undefined && after !== last()) throw conflict(session, expected, expected)
}

/** A log that took it would be damaged from there on: `readEntry` does not take it for an entry. */
function notAnEntry(session: string, seq: number): WorkspaceError {
  return new WorkspaceError(
    'LOG_NOT_AN_ENTRY',
    `Entry ${seq} of session "${session}" has no time.`,
    {
      facts: { session, seq },
      hint: 'Give the wall clock in milliseconds since 1970. A clock of your own must return a number.',
    },
  )
}

function conflict(session: string, expected: number, found: number): WorkspaceError {
  return new WorkspaceError('LOG_CONFLICT', `Session "${session}" has moved on.`, {
    facts: { session, expected, found },
    hint: 'Read what was appended, and decide again.',
  })
}
