import { WorkspaceError } from '../../entries/index.ts'
import { LOG_FORMAT } from '../../engine/model/workspace-event.ts'

/** The location of a log, as in the facts of its errors: a file, or a place on a server. */
export type LogLocation = { readonly file: string } | { readonly place: string }

/** The location as text, for messages. */
export function locationName(keptIn: LogLocation): string {
  return 'file' in keptIn ? keptIn.file : keptIn.place
}

/** The error for a log that is used after it was closed. */
export function logClosed(keptIn: LogLocation): WorkspaceError {
  return new WorkspaceError('LOG_CLOSED', `The log in ${locationName(keptIn)} was closed.`, {
    facts: { ...keptIn },
    hint: 'Close it when the last workspace on it is done, or open it again.',
  })
}

/** The error for a change to a log that was opened read-only. */
export function logReadOnly(keptIn: LogLocation): WorkspaceError {
  return new WorkspaceError(
    'LOG_WRITE_FAILED',
    `The log in ${locationName(keptIn)} was opened read-only.`,
    { facts: { ...keptIn, reason: 'readOnly' }, hint: 'Open it without `readOnly`.' },
  )
}

interface LogFormat {
  /** The beginning of the message, such as `run.jsonl is a log`. */
  readonly what: string
  readonly found: unknown
  /** The latest format that this version reads. */
  readonly latest: number
  readonly facts: Readonly<Record<string, unknown>>
}

/** The error for a log in the format of a later version. */
export function logFormatTooNew({ what, found, latest, facts }: LogFormat): WorkspaceError {
  return new WorkspaceError(
    'LOG_FORMAT',
    `${what} of format ${String(found)}; this version reads formats up to ${latest}.`,
    {
      facts: { ...facts, expected: latest, found },
      hint: 'Read it with the version of Loadout that wrote it.',
    },
  )
}

/** The error for a session whose row has the format of a later version. */
export function sessionFormatTooNew(session: string, found: number, keptIn: LogLocation) {
  const what = `Session "${session}" has entries`
  return logFormatTooNew({ what, found, latest: LOG_FORMAT, facts: { ...keptIn, session } })
}
