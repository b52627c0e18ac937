import { LOG_FORMAT } from '../../engine/model/workspace-event.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'

/** Where a log is kept, as the facts of its errors have it: in a file, or at a place on a server. */
export type LogLocation = { readonly file: string } | { readonly place: string }

/** The same for people. */
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

/** The error for a change to a log that was opened to be looked at. */
export function logReadOnly(keptIn: LogLocation): WorkspaceError {
  return new WorkspaceError(
    'LOG_WRITE_FAILED',
    `The log in ${locationName(keptIn)} was opened to be read.`,
    { facts: { ...keptIn, reason: 'readOnly' }, hint: 'Open it without `readOnly`.' },
  )
}

interface LogFormat {
  /** The beginning of the sentence, such as `run.jsonl is a log`. */
  readonly what: string
  readonly found: unknown
  /** The format of this version. */
  readonly latest: number
  readonly facts: Readonly<Record<string, unknown>>
}

/** The error for a log that a later version has made, or taken to its own format. */
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

interface SessionFormat {
  readonly session: string
  readonly format: number
  readonly keptIn: LogLocation
}

/** The error for a session whose row says that a later version wrote it. */
export function sessionFormatTooNew({ session, format, keptIn }: SessionFormat): WorkspaceError {
  return new WorkspaceError(
    'LOG_FORMAT',
    `Session "${session}" has entries of format ${format}; this version reads formats up to ${LOG_FORMAT}.`,
    {
      facts: { ...keptIn, session, expected: LOG_FORMAT, found: format },
      hint: 'Read it with the version of Loadout that wrote it.',
    },
  )
}
