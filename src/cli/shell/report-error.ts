import { sanitiseText } from '../../kernel/sanitise-text.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { CliContext } from './cli-context.ts'
import { jsonText } from './json-text.ts'
import { withoutPassword } from './shell-word.ts'

/** Tell of an error on stderr: one object with `--json`, else its message and its hint. */
export function reportError(
  error: unknown,
  json: boolean,
  { stderr }: Pick<CliContext, 'stderr'>,
): void {
  const { code, message, hint } = describe(error)
  // What was typed is repeated in errors, and may be the address of a server.
  const told = { code, message: withoutPassword(message), hint: withoutPassword(hint) }
  if (json) {
    stderr.write(jsonText({ error: told }, 0))
    return
  }
  stderr.write(`loadout: ${sanitiseText(told.message)}\n`)
  if (told.hint !== '') stderr.write(`${sanitiseText(told.hint)}\n`)
}

interface ErrorReport {
  readonly code: string
  readonly message: string
  readonly hint: string
}

/** What to do about what the system says in its own words. */
const SYSTEM_HINTS: Readonly<Record<string, string>> = {
  EACCES: 'Check the permissions of the file and its folder.',
  EPERM: 'Check the permissions of the file and its folder.',
  EROFS: 'Nothing can be written there: name another place.',
  ENOENT: 'Check the name; a folder on the way to it is missing.',
  ENOTDIR: 'Check the name; what should be a folder on the way to it is a file.',
  EISDIR: 'It is a folder: name a file.',
  ENOSPC: 'The disk is full: make room.',
  ENAMETOOLONG: 'Choose a shorter name.',
}

function describe(error: unknown): ErrorReport {
  if (WorkspaceError.is(error)) {
    const { code, message, hint } = error
    return { code, message, hint }
  }
  if (isSystemError(error)) {
    const { code, message } = error
    return { code, message: `the system refused: ${message}`, hint: SYSTEM_HINTS[code] ?? '' }
  }
  const message = error instanceof Error ? error.message : String(error)
  return {
    code: 'INTERNAL',
    message: `internal error: ${message}`,
    hint: 'This is a fault of loadout, or of code it was trusted to run.',
  }
}

function isSystemError(error: unknown): error is Error & { readonly code: string } {
  return (
    error instanceof Error &&
    'syscall' in error &&
    'code' in error &&
    typeof error.code === 'string'
  )
}
