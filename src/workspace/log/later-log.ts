import { WorkspaceError } from '../../kernel/workspace-error.ts'

interface Found {
  /** The beginning of the sentence, such as `run.jsonl is a log`. */
  readonly what: string
  readonly found: unknown
  /** The format of this version. */
  readonly latest: number
  readonly facts: Readonly<Record<string, unknown>>
}

/** The error for a log that a later version has made, or taken to its own format. */
export function laterLog({ what, found, latest, facts }: Found): WorkspaceError {
  return new WorkspaceError(
    'LOG_FORMAT',
    `${what} of format ${String(found)}; this version reads formats up to ${latest}.`,
    {
      facts: { ...facts, expected: latest, found },
      hint: 'Read it with the version of Loadout that wrote it.',
    },
  )
}
