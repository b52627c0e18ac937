import { LOG_FORMAT } from '../../engine/event.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'

/** Which session it is, and what tells where it is kept. */
interface Found {
  readonly session: string
  readonly format: number
  readonly place: Readonly<Record<string, string>>
}

/** The error for a session whose row says that a later version wrote it. */
export function laterFormat({ session, format, place }: Found): WorkspaceError {
  return new WorkspaceError(
    'LOG_FORMAT',
    `Session "${session}" has entries of format ${format}; this version reads formats up to ${LOG_FORMAT}.`,
    {
      facts: { ...place, session, expected: LOG_FORMAT, found: format },
      hint: 'Read it with the version of Loadout that wrote it.',
    },
  )
}
