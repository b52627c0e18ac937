import { LOG_FORMAT } from '../../engine/model/event.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { KeptIn } from './kept-in.ts'

interface Found {
  readonly session: string
  readonly format: number
  readonly keptIn: KeptIn
}

/** The error for a session whose row says that a later version wrote it. */
export function laterFormat({ session, format, keptIn }: Found): WorkspaceError {
  return new WorkspaceError(
    'LOG_FORMAT',
    `Session "${session}" has entries of format ${format}; this version reads formats up to ${LOG_FORMAT}.`,
    {
      facts: { ...keptIn, session, expected: LOG_FORMAT, found: format },
      hint: 'Read it with the version of Loadout that wrote it.',
    },
  )
}
